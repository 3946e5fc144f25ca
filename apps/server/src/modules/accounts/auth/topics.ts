import type { Push } from '../../../platform/push/index.ts';

const isIn = (list: unknown, id: string): boolean => Array.isArray(list) && list.includes(id);

/**
 * Topic `user` notifies each session about itself. An event about some sessions or accounts names them; the names are
 * not sent to clients.
 */
export function declareUserTopics(push: Push): void {
  push.topic('user', {
    authorize: (caller) => 'sessionId' in caller,
    view: (caller, { sessionIds, userIds, ...event }) => {
      if (!('sessionId' in caller)) return null;
      const isMine =
        (sessionIds === undefined || isIn(sessionIds, caller.sessionId)) &&
        (userIds === undefined || isIn(userIds, caller.userId));
      return isMine ? event : null;
    },
  });
}
