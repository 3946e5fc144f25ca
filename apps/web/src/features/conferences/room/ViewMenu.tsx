import type { ConferenceControl } from '@rmeet/conference';
import { useEffect, useEffectEvent, useId, useRef, type KeyboardEvent, type RefObject } from 'react';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useT } from '../texts.ts';
import type { PictureInPicture } from './usePictureInPicture.ts';
import type { ViewChoice, ViewChoices } from './useViewChoices.ts';
import './viewMenu.css';

interface ViewMenuProps {
  control: ConferenceControl;
  choices: ViewChoices;
  pictureInPicture: PictureInPicture;
  onClose: () => void;
}

const VIEWS: readonly (readonly [ViewChoice, IconName])[] = [
  ['CHAIR', 'viewChair'],
  ['AUTO', 'viewAuto'],
  ['GRID', 'viewGrid'],
  ['SPEAKER', 'viewSpeaker'],
  ['SIDE', 'viewSide'],
];
/** The buttons that open the menu: the one in the menu "More" is gone by then. */
const OPENERS = '[data-testid=toolbar-view], [data-testid=toolbar-more]';

/** How the user wants to see the meeting. It stays open, so that several choices can be tried. */
export function ViewMenu({ control, choices, pictureInPicture, onClose }: ViewMenuProps) {
  const t = useT();
  const common = useTexts('common');
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useClosing(box, onClose);
  const { preferences, change, mayChoose, choice } = choices;
  const isNamed = control.mode !== 'AUTO' && control.mode !== 'EQUAL';
  const note = !mayChoose ? 'notAllowed' : isNamed && choice !== 'CHAIR' ? 'onAir' : null;
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section
      ref={box}
      className="view-menu"
      role="dialog"
      aria-labelledby={id}
      data-testid="view-menu"
      onKeyDown={keys}
    >
      <div className="view-menu-header">
        <h2 id={id}>{t('view.title')}</h2>
        <IconButton icon="close" label={common('close')} data-testid="view-close" onClick={onClose} />
      </div>
      {note !== null && (
        <p className="view-menu-note" data-testid="view-note">
          {t(`view.${note}`)}
        </p>
      )}
      <Views choices={choices} />
      <div className="view-switches">
        <Switch name="hideSelf" on={preferences.hideSelf} onChange={(hideSelf) => change({ hideSelf })} />
        <Switch name="mirror" on={preferences.mirror} onChange={(mirror) => change({ mirror })} />
        <Switch
          name="hideWithoutVideo"
          on={preferences.hideWithoutVideo}
          disabled={!mayChoose}
          onChange={(hideWithoutVideo) => change({ hideWithoutVideo })}
        />
      </div>
      <Actions choices={choices} pictureInPicture={pictureInPicture} />
    </section>
  );
}

/** The views; the chair's only if the chair has set one. */
function Views({ choices: { choice, choose, mayChoose, isChairs } }: { choices: ViewChoices }) {
  const t = useT();
  const name = useId();
  return (
    <fieldset className="view-choices" disabled={!mayChoose}>
      <legend className="visually-hidden">{t('view.title')}</legend>
      {VIEWS.filter(([view]) => view !== 'CHAIR' || isChairs).map(([view, icon]) => (
        <label key={view} className="view-choice">
          <input
            type="radio"
            name={name}
            checked={choice === view}
            data-testid={`view-${view}`}
            onChange={() => choose(view)}
          />
          <Icon name={icon} size={22} />
          <span>{t(`view.views.${view}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Actions({
  choices: { pinned, unpinAll },
  pictureInPicture,
}: Pick<ViewMenuProps, 'choices' | 'pictureInPicture'>) {
  const t = useT();
  return (
    <div className="view-actions">
      {pinned.length > 0 && (
        <button type="button" className="view-action" data-testid="view-unpin" onClick={unpinAll}>
          <Icon name="pin" size={20} />
          {t('view.unpinAll', { count: pinned.length })}
        </button>
      )}
      {pictureInPicture.toggle !== null && (
        <button type="button" className="view-action" data-testid="view-pip" onClick={pictureInPicture.toggle}>
          <Icon name="pip" size={20} />
          {t(pictureInPicture.window === null ? 'view.pip' : 'view.pipClose')}
        </button>
      )}
    </div>
  );
}

/** A press outside closes the menu, and the focus returns to the button that opened it. */
function useClosing(box: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const element = box.current;
    element?.querySelector<HTMLElement>('input:checked:enabled, input:enabled')?.focus();
    const press = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || element?.contains(target) === true) return;
      // This button closes the menu by itself.
      if (target.closest('[data-testid=toolbar-view]') === null) close();
    };
    addEventListener('pointerdown', press);
    return () => {
      removeEventListener('pointerdown', press);
      const isLost = document.activeElement === document.body || element?.contains(document.activeElement) === true;
      if (isLost) document.querySelector<HTMLElement>(OPENERS)?.focus();
    };
  }, [box]);
}

function Switch({
  name,
  on,
  disabled = false,
  onChange,
}: {
  name: 'hideSelf' | 'mirror' | 'hideWithoutVideo';
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const t = useT();
  return (
    <label className="view-switch">
      <input
        type="checkbox"
        checked={on}
        disabled={disabled}
        data-testid={`view-${name}`}
        onChange={(event) => onChange(event.target.checked)}
      />
      {t(`view.${name}`)}
    </label>
  );
}
