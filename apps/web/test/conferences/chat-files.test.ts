import { describe, expect, test } from 'vitest';
import { NO_CONTROL } from '@rmeet/conference';
import type { ChatFileRules } from '@rmeet/contract';
import {
  filesBarrier,
  FILES_AT_ONCE,
  sortFiles,
  summaryOf,
} from '../../src/features/conferences/room/model/chat-files.ts';
import { partsOfName } from '../../src/ui/files/FileName.tsx';

const RULES: ChatFileRules = { barrier: null, megabytes: 2, kinds: ['picture'] };
const of = (name: string, size = 10) => ({ name, size });

describe('why files cannot be sent', () => {
  test('is what the organisation sets, for people who lead the meeting, too', () => {
    const control = { ...NO_CONTROL, chairId: 'chair' };
    expect(filesBarrier({ ...RULES, barrier: 'organisation' }, control, 'chair')).toBe('organisation');
    expect(filesBarrier(RULES, control, 'alice')).toBeNull();
  });

  test('is the switch of the chair, for the others', () => {
    const control = { ...NO_CONTROL, chairId: 'chair', chatFiles: false };
    expect([filesBarrier(RULES, control, 'alice'), filesBarrier(RULES, control, 'chair')]).toEqual(['chair', null]);
  });
});

test('files that are empty, too large or too many are not added, and the others are', () => {
  const large = of('large.zip', 3 * 1024 * 1024);
  expect(sortFiles([of('a'), of('empty', 0)], 0, RULES)).toEqual({
    files: [of('a')],
    fault: { why: 'empty', name: 'empty' },
  });
  expect(sortFiles([large, of('a')], 0, RULES)).toEqual({
    files: [of('a')],
    fault: { why: 'tooLarge', name: 'large.zip' },
  });
  expect(sortFiles([of('a'), of('b')], FILES_AT_ONCE - 1, RULES)).toEqual({
    files: [of('a')],
    fault: { why: 'tooMany' },
  });
});

test('a quote says the first line, or the name of the file', () => {
  const file = { id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13', name: 'a.pdf', size: 1, kind: 'document' as const };
  expect(summaryOf({ text: 'One\nTwo', file })).toBe('One');
  expect(summaryOf({ text: '', file })).toBe('a.pdf');
});

test.each([
  ['minutes.docx', ['minutes', '.docx']],
  ['.profile', ['.profile', '']],
  ['no ending', ['no ending', '']],
  ['a sentence. Then more words', ['a sentence. Then more words', '']],
])('the ending of %s', (name, parts) => {
  expect(partsOfName(name)).toEqual(parts);
});
