import { SaxesParser } from 'saxes';

/** Receives the events while a document is read. Names have no prefixes, since programs choose those freely. */
export interface XmlReader {
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * No office program exceeds these limits; hostile files would, to use up memory (nested elements, attributes per
 * element) and time (total elements).
 */
const MOST = { depth: 100, attributes: 200, elements: 1_000_000 };

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads an XML document in UTF-8 while its bytes arrive. The parser does not know custom entities, so none can expand.
 *
 * @throws Error if it is not well-formed
 */
export async function readXml(bytes: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [depth, attributes, elements] = [0, 0, 0];
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MOST.attributes) throw new Error('An element has too many attributes.');
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    elements += 1;
    if (depth > MOST.depth || elements > MOST.elements) throw new Error('There are too many elements.');
    reader.open(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    reader.close(localName(tag.name));
  });
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => reader.text(text));
  for await (const piece of bytes) parser.write(decoder.decode(piece, { stream: true }));
  parser.write(decoder.decode()).close();
}
