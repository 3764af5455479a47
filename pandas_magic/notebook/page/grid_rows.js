// The rows that a grid knows so far: windows of them are asked for as they come into view.

const AROUND = 30; // rows asked for above and below those in view

class GridRows {
  constructor(ask, onChange) {
    this.ask = ask;
    this.onChange = onChange; // (error) after every answer
    this.chosen = { filters: {}, words: "", within: "", sort: [] };
    this.columns = []; // places in the frame, in the order shown
    this.found = 0;
    this.looked = 1;
    this.version = 0; // an answer to an earlier choice is too late
    this.known = new Map(); // row -> its texts, null where a value is missing
    this.asking = false;
    this.isNew = true; // nobody has counted the rows of this choice yet
  }

  // Another choice of rows or columns: what was known is no longer in its place.
  choose(change) {
    Object.assign(this.chosen, change);
    this.version += 1;
    this.known.clear();
    this.asking = false;
    this.isNew = true;
  }

  async need(first, count) {
    this.wanted = [first, count];
    if (this.asking || !this.lacks(first, count)) return;
    this.asking = true;
    const version = this.version;
    const start = Math.max(0, first - AROUND);
    const window = { ask: "window", start, count: count + 2 * AROUND, columns: this.columns, ...this.chosen };
    const answer = await this.ask(window);
    if (version !== this.version) return;
    this.asking = false;
    this.looked = answer.looked ?? 1; // how much of a large file is counted; the rest is asked for at once
    this.isNew = !answer.error && this.looked < 1;
    if (!answer.error) {
      this.found = answer.found;
      answer.rows.forEach((texts, at) => this.known.set(answer.start + at, texts));
    }
    this.onChange(answer.error ?? "");
    // The person has scrolled on while the kernel was looking.
    if (!answer.error) this.need(...this.wanted);
  }

  lacks(first, count) {
    if (this.isNew) return true;
    for (let row = first; row < Math.min(first + count, this.found); row += 1) {
      if (!this.known.has(row)) return true;
    }
    return false;
  }
}
