import { Outline } from './outline.ts';
import { Picture, type Rgb } from './picture.ts';
import { Still } from './still.ts';
import { glyphsOf, type SizedGlyph } from './typeface.ts';

export interface CardText {
  /** The name; of a longer one the beginning is shown. */
  title: string;
  /** What is with them, smaller; such as that the camera is off. */
  note?: string;
}

const BACKGROUND: Rgb = [32, 36, 40];
const TITLE: Rgb = [240, 242, 245];
const NOTE: Rgb = [168, 174, 184];
/** Sizes relative to the height of the picture. */
const TITLE_SIZE = 1 / 10;
const SMALLEST_TITLE = 1 / 20;
const NOTE_SIZE = 1 / 24;
const GAP = 1 / 24;
/** Relative to the size of the text. */
const LINE_HEIGHT = 1.4;
/** Share of the width that text may take. */
const TEXT_WIDTH = 0.84;
/** Pixels beside a line, into which outlines may reach. */
const MARGIN = 4;
/** Cards kept: each takes some 50 KB. */
const MAX_CARDS = 200;

interface Line {
  glyphs: readonly SizedGlyph[];
  width: number;
  size: number;
}

function widthOf(glyphs: readonly SizedGlyph[], size: number): number {
  return glyphs.reduce((sum, { glyph, unitsPerEm }) => sum + (glyph.advanceWidth * size) / unitsPerEm, 0);
}

/** Sets text as large as fits, from `largest` to `smallest` pixels; what is still too long ends with three dots. */
async function setLine(text: string, width: number, largest: number, smallest: number): Promise<Line> {
  const glyphs = await glyphsOf(text);
  const size = Math.max(smallest, Math.min(largest, (largest * width) / widthOf(glyphs, largest)));
  if (widthOf(glyphs, size) <= width + 1) return { glyphs, width: widthOf(glyphs, size), size };
  const dots = await glyphsOf('…');
  while (glyphs.length > 0 && widthOf([...glyphs, ...dots], size) > width) glyphs.pop();
  const shortened = [...glyphs, ...dots];
  return { glyphs: shortened, width: widthOf(shortened, size), size };
}

/** Draws a line of text, centred, with its upper edge at `top`. */
function drawLine(picture: Picture, { glyphs, width, size }: Line, top: number, colour: Rgb): void {
  const outline = new Outline(Math.ceil(width) + MARGIN * 2, Math.ceil(size * LINE_HEIGHT));
  const baseline = size * 1.05;
  let pen = MARGIN;
  for (const { glyph, unitsPerEm } of glyphs) {
    const scale = size / unitsPerEm;
    for (const { command, args } of glyph.path.commands) {
      const [a = 0, b = 0, c = 0, d = 0] = args.map((value, n) =>
        n % 2 === 0 ? pen + value * scale : baseline - value * scale,
      );
      if (command === 'moveTo') outline.moveTo(a, b);
      else if (command === 'lineTo') outline.lineTo(a, b);
      else if (command === 'quadraticCurveTo') outline.quadraticTo(a, b, c, d);
      else outline.close();
    }
    outline.close();
    pen += glyph.advanceWidth * scale;
  }
  const left = Math.max(0, Math.floor((picture.width - outline.width) / 4) * 2);
  picture.paint(outline.coverage(), outline.width, left, Math.floor(top / 2) * 2, colour);
}

async function draw({ title, note }: CardText, width: number, height: number): Promise<Picture> {
  const picture = new Picture(width, height, BACKGROUND);
  const textWidth = width * TEXT_WIDTH;
  const name = await setLine(title, textWidth, height * TITLE_SIZE, height * SMALLEST_TITLE);
  const under = note && (await setLine(note, textWidth, height * NOTE_SIZE, height * NOTE_SIZE));
  const total = name.size * LINE_HEIGHT + (under ? height * GAP + under.size * LINE_HEIGHT : 0);
  const top = (height - total) / 2;
  drawLine(picture, name, top, TITLE);
  if (under) drawLine(picture, under, top + total - under.size * LINE_HEIGHT, NOTE);
  return picture;
}

const cards = new Map<string, Promise<Still>>();

/**
 * The card for a text in a size (even numbers of pixels), made once. Characters that the typeface lacks, such as
 * Arabic, are left out.
 */
export function nameCard(text: CardText, width: number, height: number): Promise<Still> {
  const key = JSON.stringify([text.title, text.note, width, height]);
  const card = cards.get(key) ?? draw(text, width, height).then((picture) => new Still(picture));
  // The last one used is the last one of the map.
  cards.delete(key);
  cards.set(key, card);
  if (cards.size > MAX_CARDS) cards.delete(cards.keys().next().value!);
  return card;
}
