import { DATA_MODES, type Call, type DataMode } from '../../../call/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { PageHelp } from '../../../ui/PageHelp.tsx';
import { CAPTIONS_SIZES, changePreferences, MOST_WITH_SOUNDS, usePreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { Choices, Switch } from './Choice.tsx';

const DATA = { full: 'dataFull', low: 'dataLow', audio: 'dataAudio' } as const;
const SIZES = { small: 'captionsSmall', normal: 'captionsNormal', large: 'captionsLarge' } as const;

/** Language, sounds, data use and captions. */
export function GeneralTab({ call }: { call: Call | null }) {
  const t = useT();
  const common = useTexts('common');
  const { dataMode, captions, sounds } = usePreferences();
  const useData = (mode: DataMode) => {
    changePreferences({ dataMode: mode });
    call?.setDataMode(mode);
  };
  return (
    <>
      <div className="settings-line">
        <span aria-hidden="true">{common('language.label')}</span>
        <LanguageSwitch />
      </div>
      <div className="settings-line">
        <span aria-hidden="true">{common('shell.manual')}</span>
        <PageHelp page="room" />
      </div>
      <Switch
        label={t('sounds.label')}
        hint={t('sounds.hint', { count: MOST_WITH_SOUNDS })}
        on={sounds}
        testId="sounds"
        onChange={(on) => changePreferences({ sounds: on })}
      />
      <Choices
        label={t('self.general.data')}
        value={dataMode}
        testId="data"
        options={DATA_MODES.map((value) => ({
          value,
          label: t(`self.general.${DATA[value]}`),
          hint: t(`self.general.${DATA[value]}Hint`),
        }))}
        onChange={useData}
      />
      <Choices
        label={t('self.general.captions')}
        value={captions}
        testId="captions-size"
        options={CAPTIONS_SIZES.map((value) => ({ value, label: t(`self.general.${SIZES[value]}`) }))}
        onChange={(size) => changePreferences({ captions: size })}
      />
    </>
  );
}
