import { DocumentConnection, type ConnectionState } from '@rmeet/documents';
import { useEffect, useState } from 'react';
import { Doc } from 'yjs';
import { session } from '../../../lib/browser.ts';
import { queryClient } from '../../../lib/query.ts';
import { People } from './people.ts';

const CONNECTING: ConnectionState = { phase: 'connecting', right: 'read', isSaved: true, error: null };

interface Connected {
  doc: Doc;
  state: ConnectionState;
  people: People;
}

/** The Yjs document of a page, its connection to the server, and who else has it open. */
export function useConnection(documentId: string): Connected {
  const [doc] = useState(() => new Doc());
  const [people] = useState(() => new People());
  const [state, setState] = useState(CONNECTING);
  useEffect(() => {
    const connection = new DocumentConnection({
      origin: location.origin,
      token: session.token ?? '',
      documentId,
      doc,
      onChange: (next) => {
        setState(next);
        // The lists still name a document that was deleted or is not shared any more.
        if (next.phase === 'refused') void queryClient.invalidateQueries({ queryKey: ['documents', 'list'] });
      },
      onPeople: people.set,
    });
    people.sendBy((positions) => connection.moveCursor(positions));
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
  }, [doc, documentId, people]);
  return { doc, state, people };
}
