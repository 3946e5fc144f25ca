/** Turns outlines into pixels: each edge adds the area to its right, so sums along the rows are the coverage. */
export class Outline {
  readonly width: number;
  readonly height: number;
  #areas: Float32Array;
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#areas = new Float32Array(width * height + 1);
  }

  moveTo(x: number, y: number): void {
    this.close();
    [this.#x, this.#y, this.#startX, this.#startY] = [x, y, x, y];
  }

  lineTo(x: number, y: number): void {
    this.#edge(this.#x, this.#y, x, y);
    [this.#x, this.#y] = [x, y];
  }

  quadraticTo(cx: number, cy: number, x: number, y: number): void {
    const [fromX, fromY] = [this.#x, this.#y];
    for (let n = 1; n <= STEPS; n += 1) {
      const t = n / STEPS;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      this.lineTo(a * fromX + b * cx + c * x, a * fromY + b * cy + c * y);
    }
  }

  close(): void {
    this.lineTo(this.#startX, this.#startY);
  }

  /** How much of each pixel is inside, 0 to 1, by row. Overlapping shapes of one direction count once. */
  coverage(): Float32Array {
    const covered = new Float32Array(this.width * this.height);
    for (let row = 0; row < this.height; row += 1) {
      let sum = 0;
      for (let at = row * this.width, end = at + this.width; at < end; at += 1) {
        sum += this.#areas[at]!;
        covered[at] = Math.min(1, Math.abs(sum));
      }
    }
    return covered;
  }

  #edge(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY === toY) return;
    const direction = fromY < toY ? 1 : -1;
    const [topX, topY, bottomX, bottomY] = direction === 1 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (bottomX - topX) / (bottomY - topY);
    for (let row = Math.max(0, Math.floor(topY)); row < Math.min(this.height, Math.ceil(bottomY)); row += 1) {
      const first = Math.max(topY, row);
      const last = Math.min(bottomY, row + 1);
      const within = (y: number): number => Math.max(0, Math.min(this.width - MARGIN, topX + (y - topY) * slope));
      const [x1, x2] = [within(first), within(last)];
      this.#span(row, Math.min(x1, x2), Math.max(x1, x2), direction * (last - first));
    }
  }

  /** An edge within a row, from `left` to `right`, of this signed height. */
  #span(row: number, left: number, right: number, height: number): void {
    for (let column = Math.floor(left); column <= Math.floor(right); column += 1) {
      const from = Math.max(column, left);
      const to = Math.min(column + 1, right);
      const part = right === left ? height : (height * (to - from)) / (right - left);
      const toItsLeft = (from + to) / 2 - column;
      const at = row * this.width + column;
      this.#areas[at]! += part * (1 - toItsLeft);
      this.#areas[at + 1]! += part * toItsLeft;
    }
  }
}

/** Keeps positions below the width. */
const MARGIN = 1e-3;
/** Lines by which a curve is drawn. */
const STEPS = 6;
