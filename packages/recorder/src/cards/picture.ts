/** Red, green and blue of 0 to 255. */
export type Rgb = readonly [number, number, number];

/** A picture as H.264 codes it: brightness at each pixel, colour at every second one in both directions (4:2:0). */
export interface Plane {
  data: Uint8Array;
  /** Bytes per row. */
  stride: number;
}

/** Limited range of BT.709 (ITU-R BT.709, section 3): brightness 16 to 235, colour 16 to 240. */
function toYCbCr([red, green, blue]: Rgb): readonly [number, number, number] {
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [
    Math.round(16 + (219 / 255) * brightness),
    Math.round(128 + ((224 / 255) * (blue - brightness)) / 1.8556),
    Math.round(128 + ((224 / 255) * (red - brightness)) / 1.5748),
  ];
}

/** A picture of one colour, on which shapes are drawn. Its planes are as large as whole macroblocks. */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly luma: Plane;
  readonly chroma: readonly [Plane, Plane];

  constructor(width: number, height: number, background: Rgb) {
    this.width = width;
    this.height = height;
    const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
    const [y, cb, cr] = toYCbCr(background);
    this.luma = { data: new Uint8Array(columns * rows * 256).fill(y), stride: columns * 16 };
    const plane = (value: number): Plane => ({
      data: new Uint8Array(columns * rows * 64).fill(value),
      stride: columns * 8,
    });
    this.chroma = [plane(cb), plane(cr)];
  }

  /** Paints a colour where `coverage` (0 to 1, by row) is; its first pixel lies at `left` and `top`, both even. */
  paint(coverage: Float32Array, coverageWidth: number, left: number, top: number, colour: Rgb): void {
    const [y, cb, cr] = toYCbCr(colour);
    const rows = coverage.length / coverageWidth;
    const at = (column: number, row: number): number =>
      column < coverageWidth && row < rows ? coverage[row * coverageWidth + column]! : 0;
    for (let row = 0; row < rows && top + row < this.height; row += 1) {
      for (let column = 0; column < coverageWidth && left + column < this.width; column += 1) {
        mix(this.luma, left + column, top + row, y, at(column, row));
        if (column % 2 === 1 || row % 2 === 1) continue;
        const share = (at(column, row) + at(column + 1, row) + at(column, row + 1) + at(column + 1, row + 1)) / 4;
        mix(this.chroma[0], (left + column) >> 1, (top + row) >> 1, cb, share);
        mix(this.chroma[1], (left + column) >> 1, (top + row) >> 1, cr, share);
      }
    }
  }
}

function mix({ data, stride }: Plane, x: number, y: number, value: number, share: number): void {
  const at = y * stride + x;
  data[at] = Math.round(data[at]! + (value - data[at]!) * share);
}
