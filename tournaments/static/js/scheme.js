/* The colours chosen on this device. A classic script, to run before the page is painted. */

{
  const media = { light: "not all", dark: "screen" };
  const link = document.querySelector("[data-dark]");
  const ofDevice = link.media;
  const use = () => {
    link.media = media[localStorage.scheme] ?? ofDevice;
  };
  use();
  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.querySelector("[data-scheme-choice]");
    if (!choice) return;
    const select = choice.querySelector("select");
    select.value = localStorage.scheme ?? "";
    select.addEventListener("change", () => {
      localStorage.scheme = select.value;
      use();
    });
    choice.hidden = false;
  });
}
