import type { Background } from './choices.ts';

const KEY = 'conferenceBackground';
/** The size in which an own picture is kept. */
const [WIDTH, HEIGHT] = [1280, 720];

type Stops = readonly (readonly [at: number, colour: string])[];

/** Our own pictures: a gradient from top to bottom, and soft shapes in front of it. */
const PICTURES: Partial<Record<Background, { sky: Stops; shapes: readonly Shape[] }>> = {
  dawn: {
    sky: [
      [0, '#31456f'],
      [0.55, '#c98a8c'],
      [0.8, '#f2c796'],
      [1, '#8d6f79'],
    ],
    shapes: [
      { x: 0.72, y: 0.62, r: 0.09, colour: '#fff1d0' },
      { x: 0.2, y: 1.25, r: 0.55, colour: '#4a4566' },
      { x: 0.85, y: 1.4, r: 0.7, colour: '#38385a' },
    ],
  },
  meadow: {
    sky: [
      [0, '#a9d3ee'],
      [0.6, '#e6f2ea'],
      [1, '#cfe6c4'],
    ],
    shapes: [
      { x: 0.15, y: 1.3, r: 0.62, colour: '#8fbf88' },
      { x: 0.8, y: 1.5, r: 0.85, colour: '#6da374' },
      { x: 0.45, y: 1.75, r: 0.95, colour: '#548b62' },
    ],
  },
  slate: {
    sky: [
      [0, '#2b3947'],
      [1, '#141d26'],
    ],
    shapes: [
      { x: 0.1, y: 0.1, r: 0.45, colour: '#35495c' },
      { x: 0.95, y: 0.9, r: 0.5, colour: '#20303f' },
    ],
  },
  paper: {
    sky: [
      [0, '#f4f1ea'],
      [1, '#ddd6c8'],
    ],
    shapes: [
      { x: 0.9, y: 0.05, r: 0.35, colour: '#fbf9f4' },
      { x: 0.05, y: 0.95, r: 0.4, colour: '#d0c7b5' },
    ],
  },
};

/** A circle; all numbers are shares of the height, `x` of the width. */
interface Shape {
  x: number;
  y: number;
  r: number;
  colour: string;
}

/** Draws one of our own pictures; false if there is none of this name. */
export function drawBackdrop(canvas: HTMLCanvasElement, background: Background): boolean {
  const picture = PICTURES[background];
  const context = canvas.getContext('2d');
  if (picture === undefined || context === null) return false;
  const { width, height } = canvas;
  const sky = context.createLinearGradient(0, 0, 0, height);
  for (const [at, colour] of picture.sky) sky.addColorStop(at, colour);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  for (const { x, y, r, colour } of picture.shapes) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x * width, y * height, r * height, 0, 2 * Math.PI);
    context.fill();
  }
  return true;
}

/** The picture that replaces the background; null if it cannot be made. */
export async function backdropOf(background: Background): Promise<CanvasImageSource | null> {
  if (background === 'own') return ownPicture();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  return drawBackdrop(canvas, background) ? canvas : null;
}

/** The data URL of the user's own picture in this browser; null if there is none. */
export function ownPictureUrl(): string | null {
  return localStorage.getItem(KEY);
}

async function ownPicture(): Promise<HTMLImageElement | null> {
  const url = ownPictureUrl();
  if (url === null) return null;
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** Keeps a picture from the disk in this browser, cut to 16:9. Rejects if the file is no picture. */
export async function keepOwnPicture(file: Blob): Promise<void> {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const scale = Math.max(WIDTH / bitmap.width, HEIGHT / bitmap.height);
  const [width, height] = [bitmap.width * scale, bitmap.height * scale];
  canvas.getContext('2d')?.drawImage(bitmap, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  bitmap.close();
  localStorage.setItem(KEY, canvas.toDataURL('image/jpeg', 0.85));
}
