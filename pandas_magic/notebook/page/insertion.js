// Puts saved cells below the cell that asked for them, in JupyterLab and Notebook 7.

const idOf = (cell) => (cell.getId ? cell.getId() : cell.id);
const ours = (cell) => cell.getMetadata("pandas_magic") ?? {};

// FNV-1a over UTF-8, as in notebook.text_mark: tells an untouched cell from one that a person has edited.
function textMark(text) {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  }
  return value.toString(16).padStart(8, "0");
}

function isSavedCellOf(cell, check) {
  if (cell.cell_type !== "code") return false;
  const words = cell.getSource().split("\n", 1)[0].trim().split(/\s+/);
  return ours(cell).check === check || (words[0] === "%%check" && words[1] === "--run" && words[2] === check);
}

// Old outputs would show the verdict of code that is no longer there.
function replace(cell, wanted) {
  cell.setSource(wanted.source);
  cell.setOutputs([]);
  cell.execution_count = null;
  for (const [key, value] of Object.entries(wanted.metadata)) cell.setMetadata(key, value);
}

function insert(notebook, { after, cells }) {
  const anchor = notebook.cells.findIndex((cell) => idOf(cell) === after);
  if (anchor < 0) return null; // another notebook on the same kernel
  const done = { inserted: 0, replaced: 0, left: 0 };
  notebook.transact(() => {
    for (const wanted of cells) {
      const saved = notebook.cells.filter((cell) => isSavedCellOf(cell, wanted.check));
      const untouched = saved.find((cell) => textMark(cell.getSource()) === ours(cell).text);
      if (saved.some((cell) => cell.getSource() === wanted.source)) {
        done.left += 1;
      } else if (untouched) {
        replace(untouched, wanted);
        done.replaced += 1;
      } else {
        done.inserted += 1;
        notebook.insertCell(anchor + done.inserted, {
          cell_type: "code",
          id: wanted.id,
          source: wanted.source,
          metadata: { ...wanted.metadata },
        });
      }
    }
  });
  return done;
}
