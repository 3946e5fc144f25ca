import { useMemo, useState } from 'react';
import type { CaptureKind, DeviceError, LocalMedia, VideoHandle } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';
import { useStore } from '../shared/use-store.ts';
import { Video } from '../shared/Video.tsx';
import { DeviceSelects } from '../shared/DeviceSelects.tsx';
import { Settings } from '../settings/Settings.tsx';
import { LevelMeter } from './LevelMeter.tsx';

/** What the others will see and hear, and its settings, before joining. */
export function Preview({ local }: { local: LocalMedia }) {
  const t = useT();
  const { camera, microphone } = useStore(local.store);
  const video = useMemo(() => (camera.track === null ? null : local.handleOf(camera.track)), [local, camera.track]);
  return (
    <section className="preview" aria-label={t('preview.title')}>
      <div className="preview-picture">
        <PreviewPicture video={camera.on ? video : null} pending={camera.pending} />
        <div className="preview-toggles">
          <Toggle kind="microphone" on={microphone.on} local={local} />
          <Toggle kind="camera" on={camera.on} local={local} />
        </div>
      </div>
      <LevelMeter track={microphone.on ? microphone.track : null} />
      <DeviceProblems camera={camera.error} microphone={microphone.error} local={local} />
      <DeviceSelects local={local} />
      <Effects local={local} />
    </section>
  );
}

/** Opens the settings, where the background and the processing of sound are chosen. */
function Effects({ local }: { local: LocalMedia }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const problem = useStore(local.store).backgroundProblem;
  return (
    <>
      <button type="button" className="link-button" data-testid="preview-settings" onClick={() => setOpen(true)}>
        {t('self.open')}
      </button>
      {problem !== null && !isOpen && (
        <p role="status" className="preview-problem">
          {t(`self.video.${problem}`)}
        </p>
      )}
      {isOpen && <Settings local={local} call={null} tab="video" onClose={() => setOpen(false)} />}
    </>
  );
}

function PreviewPicture({ video, pending }: { video: VideoHandle | null; pending: boolean }) {
  const t = useT();
  if (video !== null) return <Video video={video} label={t('preview.video')} />;
  return <p className="preview-note">{pending ? t('preview.cameraStarting') : t('preview.cameraOff')}</p>;
}

function Toggle({ kind, on, local }: { kind: CaptureKind; on: boolean; local: LocalMedia }) {
  const t = useT();
  const name = kind === 'camera' ? 'camera' : 'mic';
  return (
    <button
      type="button"
      className="round-button"
      aria-pressed={on}
      aria-label={t(kind === 'camera' ? 'preview.camera' : 'preview.microphone')}
      title={t(`toolbar.${name}${on ? 'Off' : 'On'}`)}
      data-testid={`preview-${name}`}
      onClick={() => void local.setOn(kind, !on)}
    >
      <Icon name={on ? name : `${name}Off`} size={22} />
    </button>
  );
}

function DeviceProblems({
  camera,
  microphone,
  local,
}: {
  camera: DeviceError | null;
  microphone: DeviceError | null;
  local: LocalMedia;
}) {
  const t = useT();
  const problems = [
    { kind: 'camera' as const, error: camera },
    { kind: 'microphone' as const, error: microphone },
  ].flatMap(({ kind, error }) => (error === null ? [] : [{ kind, error }]));
  if (problems.length === 0) return null;
  return (
    <div className="device-problems" role="alert">
      {problems.map(({ kind, error }) => (
        <p key={kind} data-testid="device-error" data-device={kind} data-code={error}>
          {t(`deviceErrors.${kind}.${error}`)}{' '}
          <button
            type="button"
            className="link-button"
            aria-label={`${t('preview.again')} (${t(`preview.${kind}`)})`}
            onClick={() => void local.setOn(kind, true)}
          >
            {t('preview.again')}
          </button>
        </p>
      ))}
      <p className="device-problems-without">{t('preview.without')}</p>
    </div>
  );
}
