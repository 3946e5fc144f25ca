import { useEffect, useRef, useState } from 'react';
import { BACKGROUNDS, type Background, type Call, type LocalMedia } from '../../../call/index.ts';
import { drawBackdrop, keepOwnPicture, ownPictureUrl } from '../../../call/effects/backdrops.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { DeviceSelects } from '../shared/DeviceSelects.tsx';
import { useStore, useStorePart } from '../shared/use-store.ts';
import { Video } from '../shared/Video.tsx';
import { useT } from '../texts.ts';

/** The tab in a meeting, whose chair can hold the camera: it then gives black pictures. */
export function VideoTabInCall({ call, local }: { call: Call; local: LocalMedia }) {
  const isHeld = useStorePart(call.store, ({ held }) => held.camera);
  return <VideoTab local={local} isHeld={isHeld} />;
}

/** The own picture, its camera, and what is behind the person. */
export function VideoTab({ local, isHeld = false }: { local: LocalMedia; isHeld?: boolean }) {
  const t = useT();
  const { camera } = useStore(local.store);
  return (
    <>
      <div className="settings-picture" data-testid="settings-picture">
        {isHeld ? (
          <p>{t('held.cameraHint')}</p>
        ) : camera.on && camera.track !== null ? (
          <Video video={local.handleOf(camera.track)} aspect={16 / 9} label={t('self.video.preview')} />
        ) : (
          <p>
            {camera.pending ? t('preview.cameraStarting') : t('self.video.cameraOff')}
            {!camera.pending && (
              <Button onClick={() => void local.setOn('camera', true)}>{t('self.video.turnOn')}</Button>
            )}
          </p>
        )}
      </div>
      <DeviceSelects local={local} kinds={['camera']} />
      {local.canFlip && (
        <Button data-testid="flip" onClick={() => void local.flip()}>
          {t('self.video.flip')}
        </Button>
      )}
      <Backgrounds local={local} />
    </>
  );
}

function Backgrounds({ local }: { local: LocalMedia }) {
  const t = useT();
  const { background: chosen, backgroundProblem } = useStore(local.store);
  const [isLoading, setLoading] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const [own, setOwn] = useState(ownPictureUrl);
  const choose = async (background: Background) => {
    setRefused(false);
    setLoading(true);
    await local.setBackground(background);
    setLoading(false);
  };
  const keep = async (picture: File) => {
    try {
      await keepOwnPicture(picture);
    } catch {
      setRefused(true);
      return;
    }
    setOwn(ownPictureUrl());
    await choose('own');
  };
  const problem = isRefused ? 'ownFailed' : backgroundProblem;
  return (
    <section>
      <h3 id="settings-background">{t('self.video.background')}</h3>
      <div role="radiogroup" aria-labelledby="settings-background" className="settings-backgrounds">
        {BACKGROUNDS.filter((each) => each !== 'own' || own !== null).map((each) => (
          <label key={each} className="settings-background">
            <input
              type="radio"
              name="background"
              className="visually-hidden"
              checked={each === chosen}
              data-testid={`background-${each}`}
              onChange={() => void choose(each)}
            />
            <Thumbnail background={each} own={own} />
            <span>{t(`self.video.${each}`)}</span>
          </label>
        ))}
        <PictureFromDisk onChoose={(picture) => void keep(picture)} />
      </div>
      <p className="settings-note" role="status" data-testid="background-state" data-problem={problem ?? undefined}>
        {t(`self.video.${isLoading ? 'loading' : (problem ?? 'ownHint')}`)}
      </p>
    </section>
  );
}

function PictureFromDisk({ onChoose }: { onChoose: (picture: File) => void }) {
  const t = useT();
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="settings-background" onClick={() => file.current?.click()}>
        <span className="settings-thumbnail settings-thumbnail-add" aria-hidden="true">
          +
        </span>
        <span>{t('self.video.choose')}</span>
      </button>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        data-testid="background-file"
        onChange={({ currentTarget }) => {
          const [picture] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (picture !== undefined) onChoose(picture);
        }}
      />
    </>
  );
}

function Thumbnail({ background, own }: { background: Background; own: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) drawBackdrop(canvas.current, background);
  }, [background]);
  if (background === 'own' && own !== null) return <img className="settings-thumbnail" src={own} alt="" />;
  if (background === 'none' || background === 'blurLight' || background === 'blurStrong')
    return (
      <span className={`settings-thumbnail settings-thumbnail-${background}`} aria-hidden="true">
        {background !== 'none' && <Icon name="people" size={22} />}
      </span>
    );
  return <canvas ref={canvas} className="settings-thumbnail" width={112} height={63} aria-hidden="true" />;
}
