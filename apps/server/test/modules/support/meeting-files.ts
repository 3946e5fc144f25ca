import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Envelope, MeetingUpload } from '@rmeet/contract';
import { UPLOAD_PATH } from '@rmeet/contract';
import { meetingDocument, meetingDocumentVersion, meetingFolder } from '../../../src/modules/meeting-files/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import type { Person } from './client.ts';
import type { TestServer } from './server.ts';

/** What a request of the upload protocol got. */
interface TusAnswer {
  httpStatus: number;
  headers: Headers;
  code: string;
}

/** Sends a request of tus 1.0 over a real connection. */
export async function tus(
  { origin }: TestServer,
  method: 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS',
  id: string,
  {
    token,
    headers = {},
    body,
  }: { token?: string; headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer> } = {},
): Promise<TusAnswer> {
  const response = await fetch(`${origin}${UPLOAD_PATH}/${id}`, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...(token === undefined ? {} : { authorization: token }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const { statusCode } = text === '' ? { statusCode: 'OK' } : (JSON.parse(text) as Envelope);
  return { httpStatus: response.status, headers: response.headers, code: statusCode };
}

/** Sends bytes of an upload. */
export function patch(
  server: TestServer,
  who: Person,
  id: string,
  offset: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<TusAnswer> {
  return tus(server, 'PATCH', id, {
    token: who.token,
    body,
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
  });
}

type Start = Parameters<Person['meetingFiles']['startUpload']>[0]['body'];

/** Uploads a file in one request, and returns the answer of it. */
export async function uploadTo(
  server: TestServer,
  who: Person,
  meetId: string,
  name: string,
  content: string | Buffer,
  more: Partial<Start> = {},
): Promise<TusAnswer & { upload: MeetingUpload }> {
  const bytes = new Uint8Array(Buffer.from(content));
  const upload = await who.meetingFiles.startUpload({ body: { meetId, name, size: bytes.length, ...more } });
  return { ...(await patch(server, who, upload.id, 0, bytes)), upload };
}

/** A file of a meeting by its name. @throws Error if there is none */
export async function fileNamed(who: Person, meetId: string, name: string, folderId?: string) {
  const { files } = await who.meetingFiles.list({ query: { meetId, ...(folderId ? { folderId } : {}), size: 200 } });
  const found = files.records.find((one) => one.name === name);
  if (!found) throw new Error(`There is no file ${name}.`);
  return found;
}

/** A file of a meeting whose row and content are written directly. */
export async function storedDocument(
  { db, storage, clock }: TestServer,
  tenantId: string,
  meetingId: string,
  by: string,
): Promise<string> {
  const [id, versionId, content] = [newId(), newId(), Buffer.from('Agenda')];
  const piece = { key: randomUUID(), size: content.length };
  await storage.put(`documents/${versionId}/${piece.key}`, content);
  const createdAt = clock.now();
  await db.tenant(tenantId, async (tx) => {
    await tx.insert(meetingDocument, {
      id,
      meetingId,
      name: `agenda ${randomBytes(4).toString('hex')}.txt`,
      audience: 'members',
      secretUntilStart: false,
      version: 1,
      createdBy: by,
      createdAt,
    });
    await tx.insert(meetingDocumentVersion, {
      id: versionId,
      documentId: id,
      version: 1,
      size: content.length,
      crc: crc32(content),
      pieces: [piece],
      kind: 'document',
      preview: 'text',
      mediaType: 'text/plain; charset=utf-8',
      scan: 'off',
      uploadedBy: by,
      createdAt,
    });
  });
  return id;
}

/** A folder of a meeting whose row is written directly. */
export async function storedFolder(
  { db, clock }: TestServer,
  tenantId: string,
  meetingId: string,
  by: string,
): Promise<string> {
  const id = newId();
  await db.tenant(tenantId, (tx) =>
    tx.insert(meetingFolder, { id, meetingId, name: `Folder ${id}`, createdBy: by, createdAt: clock.now() }),
  );
  return id;
}

/** The test file of virus scanners (EICAR), in two parts, so that no scanner takes this source for it. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** A stand-in for clamd that knows the command INSTREAM and finds EICAR; takes at most `most` bytes. */
export async function startClamd(
  most = 1_000_000,
): Promise<{ address: string; scans: () => number; close: () => void }> {
  let scans = 0;
  const serve = (socket: Socket): void => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data]);
      const content = contentIn(bytes);
      if (content === undefined && bytes.length <= most) return;
      scans += 1;
      const found = content?.includes(EICAR);
      socket.end(
        content === undefined
          ? 'INSTREAM size limit exceeded. ERROR\0'
          : found
            ? 'stream: Eicar-Test-Signature FOUND\0'
            : 'stream: OK\0',
      );
    });
  };
  const server: Server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, scans: () => scans, close: () => server.close() };
}

/** The content that was sent completely; undefined before its end. */
function contentIn(bytes: Buffer): Buffer | undefined {
  const command = Buffer.from('zINSTREAM\0');
  if (!bytes.subarray(0, command.length).equals(command)) return undefined;
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return undefined;
}
