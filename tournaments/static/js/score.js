// The hands of a report: where one side's leave a single number to another, that is chosen too.
// The form carries every score that the match can end with (data-endings), side by side. A match
// that time ended can stand at any.

const hands = (form) => {
  const names = new Set([...form.elements].map((one) => one.name).filter((name) => name.endsWith("_hands")));
  return [...names].map((name) => form.elements.namedItem(name));
};

const chosen = (field) => (field.value === "" ? null : Number(field.value));

document.addEventListener("change", ({ target }) => {
  const form = target.form?.matches("[data-endings]") ? target.form : null;
  if (!form || form.elements.cut?.checked || !target.name.endsWith("_hands")) return;
  const fields = hands(form);
  const own = fields.findIndex((field) => field === form.elements.namedItem(target.name));
  const value = Number(target.value);
  const all = JSON.parse(form.dataset.endings);
  if (!all.length) return; // too many to list
  const endings = all.filter((ending) => ending[own] === value);
  fields.forEach((field, at) => {
    if (at === own) return;
    const possible = new Set(endings.map((ending) => ending[at]));
    if (possible.size === 1) field.value = String([...possible][0]);
    else if (!possible.has(chosen(field))) clear(field);
  });
});

/** Leave a group of buttons, or a list, without a choice. */
const clear = (field) => {
  if (field instanceof RadioNodeList) for (const button of field) button.checked = false;
  else field.value = "";
};
