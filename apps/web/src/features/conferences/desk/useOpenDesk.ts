import { useEffect, useState } from 'react';
import { loadMedia, watchConference } from '../../../call/index.ts';
import type { DeskAccess } from '../../../lib/desk/index.ts';
import { meetingKey, newMeetingKey } from '../../../lib/meetingKeys.ts';
import { Desk } from './context.ts';
import { DeskFeed } from './feed.ts';
import type { Sending } from './model/rows.ts';

/** Opens the desk of a meeting and keeps it open while the component is mounted; null until it is open. */
export function useOpenDesk(meetId: string, access: DeskAccess): Desk | null {
  const [desk, setDesk] = useState<Desk | null>(null);
  useEffect(() => {
    let close: (() => void) | undefined;
    // A page that is left immediately opens nothing.
    const timer = setTimeout(() => {
      const open = openDesk(meetId, access);
      ({ close } = open);
      setDesk(open.desk);
    });
    return () => {
      clearTimeout(timer);
      close?.();
      setDesk(null);
    };
  }, [meetId, access]);
  return desk;
}

function openDesk(meetId: string, access: DeskAccess): { desk: Desk; close: () => void } {
  const feed = new DeskFeed(access.openPush(), meetId);
  const watch = watchConference(meetId, {
    api: access.api,
    // Without a state there is nothing to watch, or no right to watch it.
    loadMedia: async () => {
      await firstState(feed);
      return loadMedia();
    },
    encryptionKey: () => {
      const { state } = feed.store.getSnapshot();
      if (state?.control.e2ee !== true) return undefined;
      // With a key of its own, a desk without the meeting's key drops what it cannot decrypt, and plays no noise.
      return meetingKey(state.numericId) ?? newMeetingKey();
    },
  });
  const tellWatch = () => {
    const { state } = feed.store.getSnapshot();
    if (state !== null) watch.update({ control: state.control, terminals: state.terminals });
  };
  const tellFeed = () => {
    const { tiles } = watch.store.getSnapshot();
    const sharers = new Set(tiles.flatMap(({ termId, kind }) => (kind === 'screen' ? [termId] : [])));
    const sending = tiles.flatMap(
      ({ termId, kind, connected, microphoneOn: microphone, speaking, quality }): [string, Sending][] =>
        kind === 'camera' && connected
          ? [[termId, { microphone, speaking, quality, sharing: sharers.has(termId) }]]
          : [],
    );
    feed.setSending(new Map(sending));
  };
  const stop = [feed.store.subscribe(tellWatch), watch.store.subscribe(tellFeed)];
  const desk = new Desk({ meetId, api: access.api, store: feed.store, watch, byLink: access.kind === 'link' });
  return {
    desk,
    close: () => {
      for (const end of stop) end();
      watch.close();
      feed.close();
    },
  };
}

function firstState({ store }: DeskFeed): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (store.getSnapshot().state === null) return;
      stop();
      resolve();
    });
  });
}
