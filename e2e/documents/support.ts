import { openWriter, type RunningServer } from '@rmeet/testkit';
import { writeDocument } from '@rmeet/documents';

/** A document of alice with a text. */
export async function makeDocument(server: RunningServer, title: string, text = '第一段 First'): Promise<string> {
  const alice = await server.api.as('alice');
  const { id } = await alice.documents.create({ body: { kind: 'minutes', title } });
  const writer = openWriter({ origin: server.url, token: alice.token, documentId: id });
  await writer.until(({ phase }) => phase === 'open');
  writeDocument(writer.doc, {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: `${title} 标题` }] },
      { type: 'paragraph', content: [{ type: 'text', text }] },
    ],
  });
  await writer.until(({ isSaved }) => isSaved);
  writer.close();
  return id;
}
