import { useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { chime, CHIME_SECONDS } from '../shared/chime.ts';
import { useT } from '../texts.ts';

const LOUDNESS = 0.3;

type State = 'ready' | 'playing' | 'played' | 'heard' | 'unheard';

/** Plays a short chime through the chosen speaker, and asks whether it was heard. */
export function SpeakerTest({ speakerId }: { speakerId: string | null }) {
  const t = useT();
  const element = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<State>('ready');
  const play = async () => {
    setState('playing');
    try {
      if (element.current !== null) await playChime(element.current, speakerId);
      setState('played');
    } catch {
      // The speaker is gone, or the browser refuses it.
      setState('unheard');
    }
  };
  return (
    <div className="speaker-test" data-testid="speaker-test" data-state={state}>
      <audio ref={element} hidden />
      <p role="status">{t(`deviceCheck.speaker.${state}`)}</p>
      <div className="speaker-test-buttons">
        {state === 'played' ? (
          <>
            <Button data-testid="speaker-heard" onClick={() => setState('heard')}>
              {t('deviceCheck.speaker.yes')}
            </Button>
            <Button data-testid="speaker-unheard" onClick={() => setState('unheard')}>
              {t('deviceCheck.speaker.no')}
            </Button>
          </>
        ) : (
          <Button busy={state === 'playing'} data-testid="speaker-play" onClick={() => void play()}>
            {t(state === 'ready' || state === 'playing' ? 'deviceCheck.speaker.play' : 'deviceCheck.speaker.again')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Through an element, because browsers can choose the output of elements more often than that of a context. */
async function playChime(element: HTMLAudioElement, speakerId: string | null): Promise<void> {
  const context = new AudioContext();
  try {
    const output = new MediaStreamAudioDestinationNode(context);
    element.srcObject = output.stream;
    if ('setSinkId' in element) await element.setSinkId(speakerId ?? '');
    await element.play();
    chime(context, output, LOUDNESS);
    await new Promise((resolve) => setTimeout(resolve, CHIME_SECONDS * 1_000));
  } finally {
    element.srcObject = null;
    await context.close();
  }
}
