import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { playChime } from '../shared/chime.ts';
import { useT } from '../texts.ts';

type State = 'ready' | 'playing' | 'played' | 'heard' | 'unheard';

/** Plays a short chime through the chosen speaker, and asks whether it was heard. */
export function SpeakerTest({ speakerId }: { speakerId: string | null }) {
  const t = useT();
  const [state, setState] = useState<State>('ready');
  const play = async () => {
    setState('playing');
    try {
      await playChime(speakerId);
      setState('played');
    } catch {
      // The speaker is gone, or the browser refuses it.
      setState('unheard');
    }
  };
  return (
    <div className="speaker-test" data-testid="speaker-test" data-state={state}>
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
