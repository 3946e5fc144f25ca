import type { CaptureKind, Call, LocalMedia, MediaSource } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { KeyMismatch } from './encryption/KeyMismatch.tsx';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { useHasNetwork, useMinutesLeft } from '../shared/hooks.ts';

/** The source to name if it cannot be sent, or that there are several. */
function unreachedSource(sources: readonly MediaSource[]): MediaSource | 'several' {
  const [source] = sources;
  return source !== undefined && sources.length === 1 ? source : 'several';
}

/** The device that is on but taken by the system; the microphone matters more. Null if there is none. */
function useInterrupted(local: LocalMedia): CaptureKind | null {
  const microphone = useStorePart(local.store, (state) => state.microphone.on && state.microphone.interrupted);
  const camera = useStorePart(local.store, (state) => state.camera.on && state.camera.interrupted);
  if (microphone) return 'microphone';
  return camera ? 'camera' : null;
}

/** The most important message about the connection or devices. */
// oxlint-disable-next-line max-lines-per-function -- One flat list of messages in order of priority.
export function Banner({ call, local }: { call: Call; local: LocalMedia }) {
  const t = useT();
  const interrupted = useInterrupted(local);
  const link = useStorePart(call.store, (state) => state.media);
  // The media connection notices a lost network only after many seconds.
  const media = useHasNetwork() ? link : 'reconnecting';
  const push = useStorePart(call.store, (state) => state.push);
  const audioBlocked = useStorePart(call.store, (state) => state.audioBlocked);
  const blind = useStorePart(call.store, (state) => state.blind);
  const unreached = useStorePart(call.store, (state) => state.unreached);
  const undecryptable = useStorePart(call.store, (state) => state.undecryptable);
  const minutesLeft = useMinutesLeft(useStorePart(call.store, (state) => state.conference?.endsAt ?? null));
  if (media !== 'connected') {
    return (
      <div
        className={`banner banner-passing ${media === 'connecting' ? 'banner-late' : 'banner-warning'}`}
        role="status"
        data-testid="call-banner"
        data-state={media}
      >
        <span className="banner-spinner" aria-hidden="true" />
        {t(`banner.${media}`)}
      </div>
    );
  }
  if (push === 'reconnecting') {
    return (
      <div className="banner banner-passing banner-late" role="status" data-testid="call-banner" data-state="control">
        <span className="banner-spinner" aria-hidden="true" />
        {t('banner.controlLost')}
      </div>
    );
  }
  if (audioBlocked) {
    return (
      <div className="banner" role="alert" data-testid="call-banner" data-state="audio">
        {t('banner.audioBlocked')}
        <Button kind="primary" data-testid="start-audio" onClick={() => void call.startAudio()}>
          {t('banner.startAudio')}
        </Button>
      </div>
    );
  }
  if (undecryptable.length > 0) return <KeyMismatch call={call} termIds={undecryptable} />;
  if (interrupted !== null) {
    return (
      <div className="banner banner-warning" role="alert" data-testid="call-banner" data-state="interrupted">
        {t(`interrupted.${interrupted}`)}
        <Button data-testid="interrupted-again" onClick={() => void local.setOn(interrupted, true)}>
          {t('preview.again')}
        </Button>
      </div>
    );
  }
  if (unreached.length > 0) {
    return (
      <div className="banner banner-warning" role="alert" data-testid="call-banner" data-state="unreached">
        {t(`banner.unreached.${unreachedSource(unreached)}`)}
      </div>
    );
  }
  if (minutesLeft !== null) {
    return (
      <div className="banner banner-warning" role="status" data-testid="call-banner" data-state="ending">
        {minutesLeft > 0 ? t('banner.endsIn', { minutes: minutesLeft }) : t('banner.endsNow')}
      </div>
    );
  }
  if (blind) {
    return (
      <div className="banner banner-warning" role="status" data-testid="call-banner" data-state="blind">
        {t('banner.blind')}
      </div>
    );
  }
  return null;
}
