/* What htmx sent and was not taken: it is said on the page, which stays as it was. What only looks
   whether there is news says nothing: it looks again. */

const told = document.querySelector("[data-answers]");

const isSent = (event) => event.detail.requestConfig?.verb !== "get";

const say = (why) => {
  told.querySelector("[data-why]").textContent = why;
  told.hidden = false;
};

/** The reason that the page of a refusal gives. */
const whyOf = ({ responseText }) => {
  const page = new DOMParser().parseFromString(responseText, "text/html");
  return page.querySelector(".trouble h1")?.textContent ?? told.dataset.fault;
};

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (isSent(event)) told.hidden = true;
});
document.body.addEventListener("htmx:responseError", (event) => {
  if (isSent(event)) say(whyOf(event.detail.xhr));
});
for (const lost of ["htmx:sendError", "htmx:timeout"]) {
  document.body.addEventListener(lost, (event) => {
    if (isSent(event)) say(told.dataset.lost);
  });
}

/* Ctrl+Enter puts the focus on the main button, which Enter then presses. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const buttons = document.querySelectorAll("main .button--primary");
  [...buttons].find((one) => one.checkVisibility())?.focus();
});
