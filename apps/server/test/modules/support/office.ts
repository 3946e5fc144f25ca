import { existsSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { Document, Packer, Paragraph, TextRun } from 'docx';
import { strToU8, zipSync } from 'fflate';

const PROGRAM = '/usr/bin/soffice';
const NEEDED = {
  libreoffice: existsSync(PROGRAM),
  'libreoffice-calc': existsSync('/usr/lib/libreoffice/program/libsclo.so'),
  'libreoffice-impress': existsSync('/usr/lib/libreoffice/program/libsdlo.so'),
  bubblewrap: existsSync('/usr/bin/bwrap'),
  'poppler-utils': existsSync('/usr/bin/pdftotext'),
};
const missing = Object.entries(NEEDED).flatMap(([name, isThere]) => (isThere ? [] : [name]));
/** LibreOffice with its sandbox, and a reader of PDF; without them, the tests of office files are skipped. */
export const OFFICE_SKIPPED = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} is missing)`;
export const SOFFICE = PROGRAM;

/** A Word file with one paragraph per text. */
export async function wordFile(...texts: string[]): Promise<Buffer> {
  const children = texts.map((text) => new Paragraph({ children: [new TextRun(text)] }));
  return Packer.toBuffer(new Document({ sections: [{ children }] }));
}

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const SPACES = ['office', 'text'].map((name) => `xmlns:${name}="${OASIS}:${name}:1.0"`).join(' ');
const DRAWN = `xmlns:draw="${OASIS}:drawing:1.0" xmlns:svg="${OASIS}:svg-compatible:1.0"`;

/** Slides in the OpenDocument format with what is drawn on them. */
export function slides(drawn: string): Buffer {
  const type = 'application/vnd.oasis.opendocument.presentation';
  const entry = (path: string, media: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${media}"/>`;
  return Buffer.from(
    zipSync({
      mimetype: [strToU8(type), { level: 0 }],
      'META-INF/manifest.xml': strToU8(
        `<manifest:manifest xmlns:manifest="${OASIS}:manifest:1.0">` +
          `${entry('/', type)}${entry('content.xml', 'text/xml')}</manifest:manifest>`,
      ),
      'content.xml': strToU8(
        `<office:document-content ${SPACES} ${DRAWN} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>` +
          `<office:presentation><draw:page draw:name="1">${drawn}</draw:page></office:presentation>` +
          '</office:body></office:document-content>',
      ),
    }),
  );
}
/** A frame of a slide. */
export const frame = (inner: string): string =>
  `<draw:frame svg:width="12cm" svg:height="5cm" svg:x="1cm" svg:y="1cm">${inner}</draw:frame>`;

const OPEN = 'http://schemas.openxmlformats.org';
const RELATIONS = `xmlns="${OPEN}/package/2006/relationships"`;
const OF_OFFICE = `${OPEN}/officeDocument/2006/relationships`;

/** A Word file with a body of its own, and pictures that it links to instead of containing them. */
export function linkingWordFile(links: readonly string[], paragraphs = ''): Buffer {
  const shown = links.map(
    (_, i) =>
      '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2000000" cy="2000000"/><wp:docPr id="1" name="p"/><a:graphic>' +
      `<a:graphicData uri="${OPEN}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="x"/>` +
      `<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rP${i}"/><a:stretch><a:fillRect/></a:stretch>` +
      '</pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></a:xfrm>' +
      '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>' +
      '</w:drawing></w:r></w:p>',
  );
  const relations = links.map(
    (url, i) => `<Relationship Id="rP${i}" Type="${OF_OFFICE}/image" Target="${url}" TargetMode="External"/>`,
  );
  const spaces = [
    ['w', `${OPEN}/wordprocessingml/2006/main`],
    ['r', OF_OFFICE],
    ['wp', `${OPEN}/drawingml/2006/wordprocessingDrawing`],
    ['a', `${OPEN}/drawingml/2006/main`],
    ['pic', `${OPEN}/drawingml/2006/picture`],
  ].map(([name, uri]) => `xmlns:${name}="${uri}"`);
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const types =
    `<Types xmlns="${OPEN}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/word/document.xml" ContentType="${main}"/></Types>`;
  const start = `<Relationship Id="r" Type="${OF_OFFICE}/officeDocument" Target="word/document.xml"/>`;
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(types),
      '_rels/.rels': strToU8(`<Relationships ${RELATIONS}>${start}</Relationships>`),
      'word/_rels/document.xml.rels': strToU8(`<Relationships ${RELATIONS}>${relations.join('')}</Relationships>`),
      'word/document.xml': strToU8(
        `<w:document ${spaces.join(' ')}><w:body>${shown.join('')}${paragraphs}</w:body></w:document>`,
      ),
    }),
  );
}

function pngChunk(type: string, data: Buffer): Buffer {
  const [length, crc, content] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, crc]);
}

/** A red picture (PNG), which is recognised by its size. */
export function redPicture(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 3, Buffer.from([255, 0, 0]))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
