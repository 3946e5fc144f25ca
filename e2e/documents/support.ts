import { openWriter, type RunningServer } from '@rmeet/testkit';
import { writeDocument, type DocumentNode } from '@rmeet/documents';
import type { Page } from '@playwright/test';

interface Made {
  title: string;
  content?: DocumentNode[];
  account?: string;
  isTemplate?: boolean;
  meetId?: string;
}

export const paragraph = (text: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });

/** A document of a person, with a heading and a paragraph if nothing else is given. */
export async function makeDocument(
  server: RunningServer,
  { title, account = 'alice', isTemplate = false, meetId, content }: Made,
): Promise<string> {
  const person = await server.api.as(account);
  const { id } = await person.documents.create({
    body: { kind: 'minutes', title, isTemplate, ...(meetId !== undefined && { meetId }) },
  });
  const writer = openWriter({ origin: server.url, token: person.token, documentId: id });
  await writer.until(({ phase }) => phase === 'open');
  const heading: DocumentNode = {
    type: 'heading',
    attrs: { level: 2 },
    content: [{ type: 'text', text: `${title} 标题` }],
  };
  writeDocument(writer.doc, { type: 'doc', content: content ?? [heading, paragraph('第一段 First')] });
  await writer.until(({ isSaved }) => isSaved);
  writer.close();
  return id;
}

/** Finds a person in the open dialog's search and chooses them. */
export async function pick(page: Page, name: string): Promise<void> {
  await page.getByTestId('grant-search').getByRole('combobox').fill(name.toLowerCase());
  await page.getByTitle(new RegExp(name, 'i')).first().click();
}

/** A PNG of 3 by 2 pixels, all red. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==',
  'base64',
);
