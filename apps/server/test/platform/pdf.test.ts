import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PdfDocument } from '../../src/platform/pdf/index.ts';

/** The content of all streams of a document. */
function streamsOf(file: Buffer): string[] {
  const text = file.toString('latin1');
  return [...text.matchAll(/\/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/g)].map((match) => {
    const start = match.index + match[0].length;
    return inflateSync(file.subarray(start, start + Number(match[1]))).toString('latin1');
  });
}

async function documentOf(texts: string[]): Promise<Buffer> {
  const pdf = await PdfDocument.create(texts, { title: '报告', language: 'zh-CN' });
  pdf.addPage();
  texts.forEach((text, n) => pdf.text(40, 60 + n * 20, text));
  pdf.rectangle(40, 400, 10, 20, [0, 0, 1]);
  return pdf.finish();
}

test('every object is where the table says', async () => {
  const file = await documentOf(['会议统计 Statistics 123']);
  const text = file.toString('latin1');
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(table, table + 4)).toBe('xref');
  const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n /gm)].map((match) => Number(match[1]));
  expect(places.length).toBeGreaterThan(5);
  places.forEach((place, n) => expect(text.slice(place, place + 12)).toContain(`${n + 1} 0 obj`));
});

test('characters can be copied as they were written, each drawn once', async () => {
  const streams = streamsOf(await documentOf(['会会议', 'a']));
  const map = streams.find((stream) => stream.includes('beginbfchar')) ?? '';
  expect(map.match(/<4f1a>/g)).toHaveLength(1);
  expect(map).toContain('<8bae>');
  expect(map).toContain('<0061>');
});

test('long texts are cut with three dots, and widths are known', async () => {
  const pdf = await PdfDocument.create(['mmmmmmmmmm', 'i'], { title: 'x', language: 'en' });
  pdf.addPage();
  pdf.text(0, 10, 'mmmmmmmmmm', { width: 40 });
  expect(pdf.widthOf('mmmm', 10)).toBeCloseTo(4 * pdf.widthOf('m', 10));
  expect(pdf.widthOf('m', 10)).toBeGreaterThan(pdf.widthOf('i', 10));
  const page = streamsOf(pdf.finish()).at(-1) ?? '';
  const shown = [...page.matchAll(/<([0-9a-f]+)> Tj/g)].map((match) => (match[1] ?? '').length / 2);
  expect(shown.reduce((a, b) => a + b, 0)).toBeLessThan(7);
});

test('a document with many different characters has several fonts', async () => {
  const many = String.fromCodePoint(...Array.from({ length: 400 }, (_, n) => 0x4e00 + n));
  const text = (await documentOf([many])).toString('latin1');
  expect(text.match(/\/Subtype \/Type3/g)?.length).toBe(2);
});
