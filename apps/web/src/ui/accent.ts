import { useLayoutEffect } from 'react';
import { tokens } from './tokens.ts';

/** The three accent colours of the look, derived from a tenant's colour. */
export interface Accent {
  /** Background of white text, and text on light backgrounds. */
  primary: string;
  primaryStrong: string;
  primarySoft: string;
}

type Rgb = readonly [number, number, number];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const READABLE = 4.5;

/** A tenant's colour `#rrggbb`, darkened until it reaches 4.5:1 on every background used with text of this colour. */
export function accentOf(colour: string): Accent {
  const given = rgbOf(colour);
  const soft = mix(given, WHITE, 0.9);
  const backgrounds = [rgbOf(tokens.surface), rgbOf(tokens.background), soft];
  let primary = given;
  for (let part = 0.02; part <= 1 && !backgrounds.every((one) => contrast(primary, one) >= READABLE); part += 0.02)
    primary = mix(given, BLACK, part);
  return { primary: hexOf(primary), primaryStrong: hexOf(mix(primary, BLACK, 0.25)), primarySoft: hexOf(soft) };
}

/** Applies the tenant's colour to plain CSS while the component is mounted; null for the product's default. */
export function useAccent(colour: string | null): void {
  useLayoutEffect(() => {
    if (colour === null) return undefined;
    const { primary, primaryStrong, primarySoft } = accentOf(colour);
    const values = {
      '--primary': primary,
      '--primary-strong': primaryStrong,
      '--primary-soft': primarySoft,
      '--accent': colour,
    };
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value);
    return () => {
      for (const name of Object.keys(values)) style.removeProperty(name);
    };
  }, [colour]);
}

function rgbOf(colour: string): Rgb {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [red, green, blue];
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** `part`: share of the other colour, from 0 to 1. */
function mix([red, green, blue]: Rgb, [otherRed, otherGreen, otherBlue]: Rgb, part: number): Rgb {
  return [red + (otherRed - red) * part, green + (otherGreen - green) * part, blue + (otherBlue - blue) * part];
}

/** WCAG 2.2 contrast ratio. */
function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
