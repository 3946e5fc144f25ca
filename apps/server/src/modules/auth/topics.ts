import type { Push } from '../../platform/push/index.ts';

/** Topic `user` tells each session about itself; events name the sessions they are about, which goes no further. */
export function declareUserTopics(push: Push): void {
  push.topic('user', {
    authorize: (caller) => caller.kind === 'user',
    view: (caller, { sessionIds, ...event }) => {
      const isMine = caller.kind === 'user' && Array.isArray(sessionIds) && sessionIds.includes(caller.sessionId);
      return isMine ? event : null;
    },
  });
}
