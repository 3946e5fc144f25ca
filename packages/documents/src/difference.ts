import { textOf, type DocumentNode, type NodeType } from './model.ts';

/** A paragraph, heading, list item, row of a table or picture, and whether the newer document has it. */
export interface DifferenceLine {
  kind: 'same' | 'added' | 'removed';
  type: NodeType;
  text: string;
}
type Line = Omit<DifferenceLine, 'kind'>;

/** Above this many comparisons, changed parts are shown as removed and added as a whole. */
const MOST_COMPARED = 4_000_000;

function linesOf(node: DocumentNode, around: NodeType = 'paragraph'): Line[] {
  const { type, content = [] } = node;
  if (type === 'picture') return [{ type, text: typeof node.attrs?.['alt'] === 'string' ? node.attrs['alt'] : '' }];
  if (type === 'tableRow') return [{ type, text: content.map((cell) => textOf(cell).trim()).join(' | ') }];
  if (type === 'paragraph' || type === 'heading' || type === 'codeBlock')
    return [{ type: type === 'paragraph' ? around : type, text: textOf(node).replace(/\n$/, '') }];
  const inner = type === 'listItem' || type === 'taskItem' || type === 'blockquote' ? type : around;
  return content.flatMap((child) => linesOf(child, inner));
}

const isSame = (a: Line | undefined, b: Line | undefined): boolean => a?.type === b?.type && a?.text === b?.text;

/** Lengths of the longest common subsequences of the rests of two lists. */
function commonLengths(before: readonly Line[], after: readonly Line[]): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      rows[i]![j] = isSame(before[i], after[j])
        ? rows[i + 1]![j + 1]! + 1
        : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows;
}

function middle(before: readonly Line[], after: readonly Line[]): DifferenceLine[] {
  const removed = before.map((line) => ({ kind: 'removed' as const, ...line }));
  const added = after.map((line) => ({ kind: 'added' as const, ...line }));
  if (before.length * after.length > MOST_COMPARED) return [...removed, ...added];
  const lengths = commonLengths(before, after);
  const lines: DifferenceLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (isSame(before[i], after[j])) {
      lines.push({ kind: 'same', ...after[j]! });
      i += 1;
      j += 1;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push(removed[i++]!);
    else lines.push(added[j++]!);
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}

/** What changed from one document to another, block by block. */
export function differenceOf(before: DocumentNode, after: DocumentNode): DifferenceLine[] {
  const [old, current] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, current.length) && isSame(old[start], current[start])) start += 1;
  let end = 0;
  const most = Math.min(old.length, current.length) - start;
  while (end < most && isSame(old[old.length - 1 - end], current[current.length - 1 - end])) end += 1;
  const same = (lines: Line[]): DifferenceLine[] => lines.map((line) => ({ kind: 'same', ...line }));
  return [
    ...same(current.slice(0, start)),
    ...middle(old.slice(start, old.length - end), current.slice(start, current.length - end)),
    ...same(current.slice(current.length - end)),
  ];
}
