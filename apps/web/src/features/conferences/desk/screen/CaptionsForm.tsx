import {
  BANNER_POSITIONS,
  BANNER_SCROLLS,
  BANNER_SECONDS_MAX,
  BANNER_SIZES,
  type BannerInput,
} from '@rmeet/conference';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { language, useTexts } from '../../../../lib/i18n/index.ts';
import { useDesk } from '../context.ts';
import { useT } from '../texts.tsx';
import { CaptionsPreview } from './CaptionsPreview.tsx';
import { Choices } from './Choices.tsx';
import { keepRecent, recentTexts, withRecent } from './model/recentTexts.ts';

interface CaptionsFormProps {
  /** The terminal that sees the captions; null for all. */
  termId: string | null;
  /** Additional fields shown first. */
  children?: ReactNode;
}

/** Maximum length of a caption; characters. */
const LONGEST = 2_000;

/** Text and style of captions, with a preview; Ctrl+Enter sends, as the button does. */
// oxlint-disable-next-line max-lines-per-function -- One form; its parts share all of its state.
export function CaptionsForm({ termId, children }: CaptionsFormProps) {
  const t = useT();
  const desk = useDesk();
  const [form, setForm] = useState<BannerInput>({
    text: '',
    position: 'BOTTOM',
    size: 'MEDIUM',
    scroll: 'NONE',
    language: language(),
    seconds: 0,
  });
  const [recent, setRecent] = useState(() => recentTexts(localStorage, desk.meetId));
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<BannerInput>) => setForm((before) => ({ ...before, ...part }));
  const isEmpty = form.text.trim() === '';
  const send = async () => {
    if (isEmpty || busy) return;
    setBusy(true);
    const sent = await desk.act({ verb: 'banner', termId, banner: form });
    setBusy(false);
    if (!sent) return;
    const texts = withRecent(recent, form.text);
    setRecent(texts);
    keepRecent(localStorage, desk.meetId, texts);
  };
  return (
    <form
      className="desk-captions"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void send();
      }}
    >
      <div className="desk-captions-write">
        {children}
        <label className="desk-sheet-stack">
          <span>{t('screen.captions.text')}</span>
          <textarea
            data-first=""
            rows={3}
            maxLength={LONGEST}
            lang={form.language}
            value={form.text}
            placeholder={t('screen.captions.placeholder')}
            data-testid="desk-captions-text"
            onChange={(event) => set({ text: event.target.value })}
          />
        </label>
        <RecentTexts texts={recent} onChoose={(text) => set({ text })} />
        <Looks form={form} onSet={set} />
      </div>
      <div className="desk-captions-see">
        <CaptionsPreview form={form} />
        <Button kind="primary" type="submit" busy={busy} disabled={isEmpty} data-testid="desk-captions-send">
          {t(termId === null ? 'screen.captions.sendAll' : 'screen.captions.sendOne')}
        </Button>
        <p className="desk-sheet-hint">{t('screen.captions.hint')}</p>
      </div>
    </form>
  );
}

/** Captions that were sent before, to be reused. */
function RecentTexts({ texts, onChoose }: { texts: readonly string[]; onChoose: (text: string) => void }) {
  const t = useT();
  if (texts.length === 0) return null;
  return (
    <ul className="desk-recent" aria-label={t('screen.captions.recent')}>
      {texts.map((text) => (
        <li key={text}>
          <button
            type="button"
            className="desk-chip"
            title={text}
            data-testid="desk-captions-recent"
            onClick={() => onChoose(text)}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

// oxlint-disable-next-line max-lines-per-function -- One flat list of form fields.
function Looks({ form, onSet }: { form: BannerInput; onSet: (part: Partial<BannerInput>) => void }) {
  const t = useT();
  const common = useTexts('common');
  return (
    <div className="desk-captions-looks">
      <div className="desk-sheet-field">
        <span>{t('screen.captions.position')}</span>
        <Choices
          label={t('screen.captions.position')}
          values={BANNER_POSITIONS}
          value={form.position}
          textOf={(each) => t(`screen.captions.positions.${each}`)}
          testId="desk-captions"
          onChoose={(position) => onSet({ position })}
        />
      </div>
      <div className="desk-sheet-field">
        <span>{t('screen.captions.size')}</span>
        <Choices
          label={t('screen.captions.size')}
          values={BANNER_SIZES}
          value={form.size}
          textOf={(each) => t(`screen.captions.sizes.${each}`)}
          testId="desk-captions"
          onChoose={(size) => onSet({ size })}
        />
      </div>
      <div className="desk-sheet-field">
        <span>{t('screen.captions.scroll')}</span>
        <Choices
          label={t('screen.captions.scroll')}
          values={BANNER_SCROLLS}
          value={form.scroll}
          textOf={(each) => t(`screen.captions.scrolls.${each}`)}
          testId="desk-captions-scroll"
          onChoose={(scroll) => onSet({ scroll })}
        />
      </div>
      <label className="desk-sheet-field">
        <span>{t('screen.captions.seconds')}</span>
        <input
          type="number"
          min={0}
          max={BANNER_SECONDS_MAX}
          step={1}
          value={form.seconds}
          data-testid="desk-captions-seconds"
          aria-describedby="desk-captions-seconds-hint"
          onChange={(event) =>
            onSet({ seconds: Math.min(BANNER_SECONDS_MAX, Math.max(0, Math.round(event.target.valueAsNumber) || 0)) })
          }
        />
        <small id="desk-captions-seconds-hint">{t('screen.captions.secondsHint')}</small>
      </label>
      <label className="desk-sheet-field">
        <span>{t('screen.captions.language')}</span>
        <select
          className="select"
          value={form.language}
          data-testid="desk-captions-language"
          onChange={(event) => onSet({ language: event.target.value === 'en' ? 'en' : 'zh' })}
        >
          <option value="zh">{common('language.zh')}</option>
          <option value="en">{common('language.en')}</option>
        </select>
      </label>
    </div>
  );
}
