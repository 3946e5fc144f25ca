import { Input } from 'antd';
import { useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { accentOf } from '../../ui/accent.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { tokens } from '../../ui/tokens.ts';
import { isColour, type OwnDraft } from './draft.ts';

export interface OwnSectionProps {
  draft: OwnDraft;
  errors: FieldErrors<OwnDraft>;
  onChange: (part: Partial<OwnDraft>) => void;
}

const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const KILOBYTE = 1024;
const LOGO_BYTES = 96 * KILOBYTE;

/** Logo, colour, and the sentence that greets people who are about to join. */
export function LookSection(props: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <fieldset>
      <legend>{t('look.title')}</legend>
      <LogoField {...props} />
      <ColourField {...props} />
      <WelcomeFields {...props} />
    </fieldset>
  );
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX
function LogoField({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();

  const take = async (file: File | undefined) => {
    if (!file) return;
    if (!LOGO_TYPES.includes(file.type)) setFault(t('look.logoType'));
    else if (file.size > LOGO_BYTES) setFault(t('look.logoSize', { size: Math.ceil(file.size / KILOBYTE) }));
    else {
      setFault(undefined);
      onChange({ logo: await readDataUrl(file) });
    }
  };

  return (
    <FormField label={t('look.logo')} error={fault ?? errors.logo} hint={t('look.logoHint')}>
      {({ id, 'aria-describedby': describedBy, 'aria-invalid': invalid }) => (
        <div className="tenant-logo">
          <span className="tenant-logo-preview" data-testid="logo-preview">
            {draft.logo === '' ? (
              <Logo open inverse />
            ) : (
              <img src={draft.logo} width={210} height={65} alt={t('look.logoPreview')} />
            )}
          </span>
          <input
            ref={input}
            id={id}
            type="file"
            accept={LOGO_TYPES.join(',')}
            className="visually-hidden"
            tabIndex={-1}
            data-testid="logo-file"
            onChange={({ target }) => {
              void take(target.files?.[0]);
              // Reset, so that the same file can be chosen again.
              target.value = '';
            }}
          />
          <Button
            aria-describedby={describedBy}
            aria-invalid={invalid}
            data-testid="logo-choose"
            onClick={() => input.current?.click()}
          >
            {t(draft.logo === '' ? 'look.logoChoose' : 'look.logoReplace')}
          </Button>
          {draft.logo !== '' && (
            <Button
              data-testid="logo-remove"
              onClick={() => {
                setFault(undefined);
                onChange({ logo: '' });
              }}
            >
              {t('look.logoRemove')}
            </Button>
          )}
        </div>
      )}
    </FormField>
  );
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
}

/** Most characters of the sentence, as in the contract. */
const WELCOMES = [
  { field: 'welcomeZh', label: 'welcome.zh', most: 100 },
  { field: 'welcomeEn', label: 'welcome.en', most: 200 },
] as const;

function WelcomeFields({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <>
      <p className="admin-form-hint">{t('welcome.hint')}</p>
      <div className="admin-form-row">
        {WELCOMES.map(({ field, label, most }) => (
          <FormField key={field} label={t(label)} error={errors[field]}>
            {(control) => (
              <Input
                {...control}
                value={draft[field]}
                maxLength={most}
                autoComplete="off"
                data-testid={field}
                onChange={({ target }) => onChange({ [field]: target.value })}
              />
            )}
          </FormField>
        ))}
      </div>
    </>
  );
}

function ColourField({ draft: { colour }, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const valid = isColour(colour);
  const { primary } = valid ? accentOf(colour) : tokens;
  const hint = () => {
    if (!valid) return colour === '' ? t('look.colourOwn') : undefined;
    return primary === colour.toLowerCase() ? t('look.colourGood') : t('look.colourDark', { colour: primary });
  };
  return (
    <FormField label={t('look.colour')} error={errors.colour} hint={hint()}>
      {(control) => (
        <div className="tenant-colour">
          <input
            type="color"
            value={valid ? colour : tokens.primary}
            aria-label={t('look.colour')}
            data-testid="colour-picker"
            onChange={({ target }) => onChange({ colour: target.value })}
          />
          <Input
            {...control}
            value={colour}
            maxLength={7}
            placeholder={tokens.primary}
            spellCheck={false}
            autoComplete="off"
            data-testid="colour-value"
            onChange={({ target }) => onChange({ colour: target.value.trim() })}
          />
          <span className="tenant-colour-sample" style={{ background: primary }}>
            {t('look.sample')}
          </span>
          {colour !== '' && (
            <Button data-testid="colour-reset" onClick={() => onChange({ colour: '' })}>
              {t('look.colourReset')}
            </Button>
          )}
        </div>
      )}
    </FormField>
  );
}
