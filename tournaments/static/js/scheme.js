/* Light or dark colours: the device's, or those that the reader chose in the footer. The choice is
   kept on the device. A classic script, since it has to run before the page is painted. */

{
  const KEY = "baza-scheme";
  const MEDIA = { "": "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };

  const read = () => {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // no storage: the device's colours
    }
  };
  const use = (scheme) => {
    document.querySelector("[data-dark]").media = MEDIA[scheme] ?? MEDIA[""];
  };

  use(read());
  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.querySelector("[data-scheme-choice]");
    const select = choice.querySelector("select");
    select.value = read();
    select.addEventListener("change", () => {
      use(select.value);
      localStorage.setItem(KEY, select.value);
    });
    choice.hidden = false;
  });
}
