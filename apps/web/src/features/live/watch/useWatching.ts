import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { api } from '../../../lib/api/index.ts';
import { openWatch, sendLeave, type Answers, type Opened } from './opening.ts';
import { Watching, type Watched } from './watching.ts';

interface Options {
  id: string;
  opened: Opened;
  answers: Answers;
  /** The viewer may not watch any more. */
  onRefused: () => void;
}

/** Follows an open broadcast while the page is there. */
export function useWatching({ id, opened, answers, onRefused }: Options): [Watching, Watched] {
  const refused = useEffectEvent(onRefused);
  const watching = useMemo(
    () =>
      new Watching(opened, {
        state: (body) => api.watch.state({ body }),
        say: (body) => api.watch.say({ body }),
        open: (_view, name) => openWatch(id, { ...answers, ...(name !== undefined && { name }) }),
        leave: sendLeave,
      }),
    [id, opened, answers],
  );
  useEffect(() => {
    const stop = watching.start(() => refused());
    const leave = () => watching.leave();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      stop();
    };
  }, [watching]);
  return [watching, useSyncExternalStore(watching.subscribe, watching.get)];
}
