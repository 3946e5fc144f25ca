import { pathOf, watch } from '@rmeet/contract';
import { useCallback, useState } from 'react';
import { session } from '../../../lib/browser.ts';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { useNow } from '../../../lib/useNow.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { StateBadge } from '../../../ui/broadcast/StateBadge.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LiveFrame } from '../player/LiveFrame.tsx';
import { useBroadcast } from '../queries.ts';
import { useT } from '../texts.ts';
import { Cover } from './Cover.tsx';
import { Likes } from './Likes.tsx';
import type { Answers, Opened } from './opening.ts';
import { Side } from './Side.tsx';
import { useWatching } from './useWatching.ts';
import type { Watched, Watching } from './watching.ts';

interface RoomProps {
  id: string;
  opened: Opened;
  answers: Answers;
  /** The viewer may not watch any more, or has to answer a question again. */
  onRefused: () => void;
}

/** An open broadcast: the picture, what it is, and what viewers say. */
export function Room(props: RoomProps) {
  const t = useT();
  const { id } = props;
  const [watching, now] = useWatching(props);
  const { broadcast, viewers, isLost } = now;
  const { setting, state } = broadcast;
  const manages = useBroadcast(id, session.token !== null).data?.can.manage ?? false;
  const hasSide = setting.chat !== 'off' || setting.questions || setting.announcement !== '' || manages;
  return (
    <article className="watch" data-side={hasSide}>
      <div className="watch-picture">
        <Picture id={id} watching={watching} now={now} />
        {isLost && (
          <p className="watch-lost" role="status" data-testid="watch-lost">
            {t('watch.lost')}
          </p>
        )}
      </div>
      <div className="watch-facts">
        <div>
          <h1>{broadcast.subject}</h1>
          <p>
            <StateBadge state={state} />
            {state !== 'ended' && (
              <span className="watch-viewers" data-testid="watch-viewers">
                <Icon name="people" size={16} />
                {t(state === 'scheduled' ? 'waiting' : 'watching', { count: viewers })}
              </span>
            )}
            <span>{t('watch.host', { name: broadcast.hostName })}</span>
            <StartTime at={broadcast.startedAt ?? broadcast.startTime} />
          </p>
        </div>
        {setting.likes && <Likes count={now.likes} onLike={() => watching.like()} />}
      </div>
      {hasSide && <Side id={id} watching={watching} now={now} manages={manages} />}
    </article>
  );
}

function StartTime({ at }: { at: string }) {
  const language = useLanguage();
  const now = useNow();
  return <time dateTime={at}>{startTimeText(new Date(at), new Date(now), language)}</time>;
}

/** The broadcast, its replay, or what is shown instead. */
function Picture({ id, watching, now }: { id: string; watching: Watching; now: Watched }) {
  const [isReplaying, setReplaying] = useState(false);
  const { broadcast, hasReplay, hasQualities, watermark, cdn } = now;
  // A CDN gives everyone the same; it shall not keep signatures of viewers.
  const sign = useCallback(() => (cdn === null ? watching.sign : ''), [watching, cdn]);
  const { state, subject } = broadcast;
  const isLive = state === 'onAir';
  const isReplay = state === 'ended' && hasReplay && isReplaying;
  if ((isLive || isReplay) && now.sign !== '')
    return (
      <LiveFrame
        key={`${state} ${cdn}`}
        address={cdn ?? pathOf(watch.playlist, { params: { id } })}
        qualities={cdn === null ? pathOf(watch.renditions, { params: { id } }) : null}
        sign={sign}
        isLive={isLive}
        subject={subject}
        watermark={watermark}
        hasQualities={hasQualities}
      />
    );
  return <Cover broadcast={broadcast} hasReplay={hasReplay} onReplay={() => setReplaying(true)} />;
}
