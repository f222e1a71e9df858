/* Sets up a position by tapping cards. The text fields hold it; the deck only writes into them. */

const form = document.querySelector("[data-position]");
if (form) {
  start(form, JSON.parse(document.getElementById("seats").textContent));
}

function start(form, seatsOf) {
  const fields = new Map([...form.querySelectorAll("[data-cards]")].map((field) => [field.name, field]));
  const deck = form.querySelector("[data-deck]");
  const taps = [...deck.querySelectorAll("[data-tap]")];
  const goes = [...deck.querySelectorAll("[data-goes]")];

  const cardsOf = (field) => field.value.split(/[\s,]+/).filter(Boolean);
  const target = () => fields.get(goes.find((choice) => choice.checked).value);

  function tap(code) {
    const wanted = target();
    const wasThere = cardsOf(wanted).includes(code);
    for (const field of fields.values()) {
      field.value = cardsOf(field).filter((card) => card !== code).join(" ");
    }
    if (!wasThere) {
      wanted.value = [...cardsOf(wanted), code].join(" ");
    }
    show();
    form.dispatchEvent(new Event("moved"));
  }

  function show() {
    const places = new Map();
    for (const [name, field] of fields) {
      for (const card of cardsOf(field)) {
        places.set(card, name);
      }
    }
    for (const button of taps) {
      const place = places.get(button.dataset.tap);
      button.setAttribute("aria-pressed", String(place !== undefined));
      button.querySelector("[data-where]").textContent = place === undefined ? "" : sign(place);
    }
    const count = seatsOf[form.elements.namedItem("ruleset").value];
    for (const label of deck.querySelectorAll("[data-seat]")) {
      label.hidden = "ABCD".indexOf(label.dataset.seat) >= count;
    }
  }

  for (const button of taps) {
    button.addEventListener("click", () => tap(button.dataset.tap));
  }
  form.addEventListener("change", show);
  form.addEventListener("formdata", (event) => leaveOutEmpty(event.formData));

  goes.find((choice) => choice.value === form.elements.namedItem("turn").value).checked = true;
  deck.hidden = false;
  const typed = form.querySelector("[data-typed]");
  typed.open = typed.hasAttribute("data-wrong");
  show();
}

/* A seat's letter; what lies on the table or is turned up has a sign of its own. */
function sign(place) {
  return { trick: "•", upcard: "△" }[place] ?? place;
}

/* The address is short: what is empty, and where a tapped card goes, does not stand in it. */
function leaveOutEmpty(data) {
  for (const [name, value] of [...data.entries()]) {
    if (value === "" || name === "goes") {
      data.delete(name);
    }
  }
}
