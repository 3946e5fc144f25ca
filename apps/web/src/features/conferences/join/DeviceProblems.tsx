import type { DeviceError, LocalMedia } from '../../../call/index.ts';
import { useT } from '../texts.ts';

/** Why the camera or the microphone does not work, and what to do. */
export function DeviceProblems({
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
