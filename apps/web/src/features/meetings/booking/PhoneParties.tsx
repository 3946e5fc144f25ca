import { LIMITS } from '@rmeet/contract';
import { Input } from 'antd';
import { useId } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { isPhone, type PhoneParty } from './draft.ts';

interface PhonePartiesProps {
  value: readonly PhoneParty[];
  error: string | undefined;
  onChange: (phones: readonly PhoneParty[]) => void;
}

const EMPTY: PhoneParty = { name: '', phone: '' };
/** Maximum length of a telephone number, separators included. */
const LONGEST = 40;

/** Participants called by telephone: number and name. There is always one empty row to type into. */
export function PhoneParties({ value, error, onChange }: PhonePartiesProps) {
  const t = useTexts('meetings');
  const id = useId();
  const last = value.at(-1);
  const rows = last && last.name === '' && last.phone === '' ? value : [...value, EMPTY];
  const change = (at: number, part: Partial<PhoneParty>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <fieldset className="booking-phones" aria-describedby={`${id}-note`}>
      <legend>{t('phones.title')}</legend>
      {rows.map((row, at) => {
        const isWrong = error !== undefined && (row.name !== '' || row.phone !== '') && !isPhone(row);
        const isTyped = at < value.length && (row.name !== '' || row.phone !== '');
        return (
          // Rows are keyed by index: two may have the same content during typing.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <div key={at} className="booking-phone">
            <Input
              type="tel"
              value={row.phone}
              maxLength={LONGEST}
              autoComplete="off"
              aria-label={t('phones.number', { at: at + 1 })}
              {...(isWrong ? { 'aria-invalid': true, status: 'error' } : {})}
              aria-describedby={`${id}-note`}
              placeholder={t('phones.numberPlaceholder')}
              data-testid="phone-number"
              onChange={({ target }) => change(at, { phone: target.value })}
            />
            <Input
              value={row.name}
              maxLength={LIMITS.displayName}
              autoComplete="off"
              aria-label={t('phones.name', { at: at + 1 })}
              placeholder={t('phones.namePlaceholder')}
              data-testid="phone-name"
              onChange={({ target }) => change(at, { name: target.value })}
            />
            <IconButton
              icon="close"
              label={t('phones.remove', { who: row.name || row.phone || String(at + 1) })}
              disabled={!isTyped}
              data-testid="phone-remove"
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            />
          </div>
        );
      })}
      <p
        id={`${id}-note`}
        className={error === undefined ? 'form-field-hint' : 'form-field-error'}
        role={error === undefined ? undefined : 'alert'}
      >
        {error ?? t('phones.hint')}
      </p>
    </fieldset>
  );
}
