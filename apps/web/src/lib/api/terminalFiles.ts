import { conferences, createClient, downloads, pathOf, type Client } from '@rmeet/contract';
import { fileSource, type FileSource } from '../files.ts';
import { language } from '../i18n/index.ts';
import { createSend } from './send.ts';
import { fetchWithProgress } from './upload.ts';

type ChatCall = Client<typeof conferences>['chat'];

/** Files in the chat of a conference, sent and loaded as a terminal. */
export interface TerminalFiles extends FileSource {
  /** Sends a message with its file; `onProgress` gets 0 to 1. An aborted upload leaves nothing on the server. */
  send: (
    message: Parameters<ChatCall>[0],
    upload: { onProgress: (part: number) => void; signal: AbortSignal },
  ) => ReturnType<ChatCall>;
}

export function terminalFiles(sessionToken: string, meetId: string): TerminalFiles {
  const as = { token: () => sessionToken, language };
  const tickets = createClient(downloads, createSend(as));
  return {
    ...fileSource({
      token: as.token,
      pathOf: (id, preview) =>
        pathOf(conferences.chatFile, { params: { meetId, id }, query: preview ? { preview } : {} }),
      ticket: async (path) => (await tickets.ticket({ body: { path } })).ticket,
    }),
    send: (message, { onProgress, signal }) =>
      createClient(conferences, createSend({ ...as, signal, fetch: fetchWithProgress(onProgress) })).chat(message),
  };
}
