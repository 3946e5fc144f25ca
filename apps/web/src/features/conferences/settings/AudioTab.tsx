import { useState } from 'react';
import type { AudioProcessing, LocalMedia, NoiseSuppression } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { LevelMeter } from '../join/LevelMeter.tsx';
import { playChime } from '../shared/chime.ts';
import { DeviceSelects } from '../shared/DeviceSelects.tsx';
import { useStore } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { Choices, Switch } from './Choice.tsx';

const NOISE: readonly NoiseSuppression[] = ['off', 'browser', 'enhanced'];
const WORDS = { off: 'noiseOff', browser: 'noiseBrowser', enhanced: 'noiseEnhanced' } as const;

/** Microphone, speaker, and what is done with the own voice. */
export function AudioTab({ local }: { local: LocalMedia }) {
  const t = useT();
  const { microphone, processing } = useStore(local.store);
  const change = (patch: Partial<AudioProcessing>) => {
    void local.setProcessing(patch);
  };
  return (
    <>
      <DeviceSelects local={local} kinds={['microphone']} />
      <LevelMeter track={microphone.on ? microphone.track : null} />
      <p className="settings-note">{microphone.on ? '' : t('self.audio.micOff')}</p>
      <DeviceSelects local={local} kinds={['speaker']} />
      <TestSpeaker local={local} />
      <Choices
        label={t('self.audio.noise')}
        value={processing.noise}
        testId="noise"
        options={NOISE.map((value) => ({
          value,
          label: t(`self.audio.${WORDS[value]}`),
          hint: t(`self.audio.${WORDS[value]}Hint`),
        }))}
        onChange={(noise) => change({ noise })}
      />
      <Switch
        label={t('self.audio.echo')}
        hint={t('self.audio.echoHint')}
        on={processing.echo}
        testId="echo"
        onChange={(echo) => change({ echo })}
      />
      <Switch
        label={t('self.audio.gain')}
        hint={t('self.audio.gainHint')}
        on={processing.gain}
        testId="gain"
        onChange={(gain) => change({ gain })}
      />
    </>
  );
}

function TestSpeaker({ local }: { local: LocalMedia }) {
  const t = useT();
  const [isPlaying, setPlaying] = useState(false);
  const play = async () => {
    setPlaying(true);
    try {
      await playChime(local.store.getSnapshot().speakerId);
    } finally {
      setPlaying(false);
    }
  };
  return (
    <Button busy={isPlaying} data-testid="test-speaker" onClick={() => void play()}>
      {t(isPlaying ? 'self.audio.testing' : 'self.audio.test')}
    </Button>
  );
}
