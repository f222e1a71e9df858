// The running totals of a sheet of hands, while it is being filled in. The server adds up by itself.

const sheet = document.querySelector("[data-sheet]");

const add = () => {
  const totals = [...sheet.querySelectorAll("[data-total]")];
  const sums = totals.map(() => 0);
  for (const row of sheet.querySelectorAll("tbody tr")) {
    row.querySelectorAll("input[type=number]").forEach((field, side) => {
      sums[side] += Number.parseInt(field.value, 10) || 0;
    });
  }
  totals.forEach((cell, side) => { cell.textContent = String(sums[side]); });
};

sheet?.addEventListener("input", add);
if (sheet) add();
