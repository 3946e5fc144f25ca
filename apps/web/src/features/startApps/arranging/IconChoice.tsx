import { useId, useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { APP_ICONS, isIcon } from '../../../ui/menu-icons.tsx';
import './arranging.css';

/** The icons of the gallery side by side, as one group of radio buttons, with a search by name. */
export function IconChoice({ value, onChange }: { value: string; onChange: (icon: string) => void }) {
  const t = useTexts('arranging');
  const group = useId();
  const [typed, setTyped] = useState('');
  const keyword = typed.trim().toLowerCase();
  const shown = APP_ICONS.filter((name) => name === value || name.toLowerCase().includes(keyword));
  return (
    <fieldset className="icon-choice" data-testid="app-icon">
      <legend>{t('form.icon')}</legend>
      <input
        type="search"
        className="icon-choice-search"
        value={typed}
        placeholder={t('form.iconSearch')}
        aria-label={t('form.iconSearch')}
        maxLength={30}
        data-testid="icon-choice-search"
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="icon-choice-list">
        {shown.map((name) => (
          <label key={name} title={name} className={name === value ? 'icon-choice-chosen' : undefined}>
            <input
              type="radio"
              name={group}
              className="visually-hidden"
              checked={name === value}
              aria-label={t('form.iconNamed', { name })}
              data-testid={`app-icon-${name}`}
              onChange={() => onChange(name)}
            />
            <Icon name={name} />
          </label>
        ))}
      </div>
      {!isIcon(value) && <p className="admin-form-hint">{t('form.iconUnknown', { name: value })}</p>}
    </fieldset>
  );
}
