import { useId } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { isIcon, MENU_ICONS } from '../../ui/menu-icons.tsx';

/** The product's icons side by side, as one group of radio buttons. */
export function IconPicker({ value, onChange }: { value: string; onChange: (icon: string) => void }) {
  const t = useTexts('menus');
  const group = useId();
  const icons =
    isIcon(value) && !(MENU_ICONS as readonly string[]).includes(value) ? [...MENU_ICONS, value] : MENU_ICONS;
  return (
    <fieldset className="icon-picker" data-testid="entry-icon">
      <legend>{t('field.icon')}</legend>
      {['', ...icons].map((name) => {
        const label = name === '' ? t('icon.none') : t('icon.named', { name });
        return (
          <label key={name} title={label} className={name === value ? 'icon-chosen' : undefined}>
            <input
              type="radio"
              name={group}
              className="visually-hidden"
              checked={name === value}
              aria-label={label}
              onChange={() => onChange(name)}
            />
            {isIcon(name) ? <Icon name={name} /> : <span className="icon-picker-none" />}
          </label>
        );
      })}
    </fieldset>
  );
}
