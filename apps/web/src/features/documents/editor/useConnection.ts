import { DocumentConnection, type ConnectionState } from '@rmeet/documents';
import { useEffect, useState } from 'react';
import { Doc } from 'yjs';
import { session } from '../../../lib/browser.ts';

const CONNECTING: ConnectionState = { phase: 'connecting', right: 'read', isSaved: true, error: null };

/** The Yjs document of a page, and its connection to the server. */
export function useConnection(documentId: string): { doc: Doc; state: ConnectionState } {
  const [doc] = useState(() => new Doc());
  const [state, setState] = useState(CONNECTING);
  useEffect(() => {
    const connection = new DocumentConnection({
      origin: location.origin,
      token: session.token ?? '',
      documentId,
      doc,
      onChange: setState,
    });
    const warn = (event: BeforeUnloadEvent): void => {
      if (!connection.state.isSaved) event.preventDefault();
    };
    const online = (): void => connection.reconnect();
    window.addEventListener('beforeunload', warn);
    window.addEventListener('online', online);
    return () => {
      window.removeEventListener('beforeunload', warn);
      window.removeEventListener('online', online);
      connection.close();
    };
  }, [doc, documentId]);
  return { doc, state };
}
