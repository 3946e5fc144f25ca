import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'installation.md');

/** A block of commands of docs/installation.md. */
export interface Block {
  /** Its heading, without markup. */
  section: string;
  /** The word after `sh` at the beginning of the block, such as `try`; empty for those of the service. */
  kind: string;
  script: string;
}

/** All blocks of commands, in order. */
export function readBlocks(): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: Block | undefined;
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const fence = /^```(?:sh ?(.*))?$/.exec(line);
    if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) open.script += `${line}\n`;
    else if (fence?.[1] !== undefined) open = { section, kind: fence[1], script: '' };
    else if (line.startsWith('#')) section = line.replace(/^#+ /, '');
  }
  return blocks;
}
