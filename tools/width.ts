import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { sourceFiles } from './files.ts';

const WIDEST = 120;
/** Recorded data, which a line break would change. */
const RECORDED = /\/fixtures\//;

/** Every line of code, test or tool that is wider than 120 characters: the formatter does not break long texts. */
export function widthBreaches(root: string): string[] {
  return [...sourceFiles(root, /\.(ts|tsx|mts|mjs|js|css|html)$/)]
    .filter((path) => !RECORDED.test(path))
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          line.length > WIDEST ? [`${relative(root, path)}:${at + 1} is ${line.length} characters wide`] : [],
        ),
    );
}
