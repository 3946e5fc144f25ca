import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ContentReader } from '../../src/platform/storage/index.ts';

/** What is told of a file that arrives in pieces. */
async function contentOf(bytes: Buffer, name: string) {
  const reader = new ContentReader(name, { size: () => undefined });
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
  await Readable.from(pieces).pipe(reader).resume().toArray();
  return reader.content;
}
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const zip = (entry: string): Buffer => bytes(`PK\x03\x04${'\0'.repeat(26)}${entry}`);
const gif = (width: number): Buffer => {
  const head = Buffer.alloc(40);
  head.write('GIF89a');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(100, 8);
  return head;
};

test.each([
  ['picture', 'a.gif', gif(100)],
  ['picture', 'a.heic', bytes('\0\0\0\x18ftypheic')],
  ['document', 'a.pdf', bytes('%PDF-1.7')],
  ['document', 'a.docx', zip('[Content_Types].xml')],
  ['document', 'a.odt', zip('mimetypeapplication/vnd.oasis.opendocument.text')],
  ['document', 'a.txt', Buffer.from('会议纪要\n')],
  ['document', 'a.svg', bytes('<svg onload="alert(1)"/>')],
  ['media', 'a.mp4', bytes('\0\0\0\x18ftypisom')],
  ['media', 'a.webm', bytes('\x1aE\xdf\xa3')],
  ['archive', 'a.zip', zip('folder/file.txt')],
  ['archive', 'a.tar', Buffer.concat([Buffer.alloc(257), bytes('ustar')])],
  ['program', 'a.txt', bytes('MZ\x90\0')],
  ['program', 'a.png', bytes('\x7fELF')],
  ['program', 'a.sh.txt', bytes('#!/bin/sh')],
  ['program', 'a.bat', bytes('echo off')],
  ['program', 'a.APK', zip('AndroidManifest.xml')],
  ['other', 'a.pdf', bytes('\0\x01\x02')],
])('%s: %s', async (kind, name, content) => {
  expect((await contentOf(content, name)).kind).toBe(kind);
});

test('a picture that would unpack to gigabytes is not shown', async () => {
  expect((await contentOf(gif(100), 'a.gif')).picture).toEqual({ type: 'image/gif', width: 100, height: 100 });
  expect((await contentOf(gif(60_000), 'a.gif')).picture).toBeUndefined();
});
