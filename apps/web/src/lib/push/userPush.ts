import { useEffect, useEffectEvent } from 'react';
import { session } from '../browser.ts';
import { PushSocket, type TopicHandler } from './socket.ts';

let current: { token: string; socket: PushSocket; users: number } | null = null;

/** Shares the signed-in user's single socket; call `giveBack` when it is no longer needed. */
function borrowSocket(token: string): { socket: PushSocket; giveBack: () => void } {
  if (current?.token !== token) current = { token, socket: new PushSocket({ auth: { token } }), users: 0 };
  const mine = current;
  mine.users += 1;
  return {
    socket: mine.socket,
    giveBack() {
      mine.users -= 1;
      if (mine.users > 0) return;
      mine.socket.close();
      if (current === mine) current = null;
    },
  };
}

/** The session has ended: the socket must not reconnect with its token. */
export function closeUserPush(): void {
  current?.socket.close();
}

/**
 * Follows a topic as the signed-in user while the component is mounted; `refused` is also called for a rejected token.
 */
export function usePushTopic(topic: string, handler: TopicHandler): void {
  const latest = useEffectEvent(() => handler);
  useEffect(() => {
    const { token } = session;
    if (token === null) return undefined;
    const { socket, giveBack } = borrowSocket(token);
    const stop = socket.subscribe(topic, {
      event: (event, version) => latest().event?.(event, version),
      snapshot: (snapshot, version) => latest().snapshot?.(snapshot, version),
      live: () => latest().live?.(),
      reports: (reports) => latest().reports?.(reports),
      stale: () => latest().stale?.(),
      refused: (code) => latest().refused?.(code),
    });
    const stopStatus = socket.onStatus((status) => {
      if (status === 'refused' && socket.refusal !== null) latest().refused?.(socket.refusal);
    });
    return () => {
      stopStatus();
      stop();
      giveBack();
    };
  }, [topic]);
}
