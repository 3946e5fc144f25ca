import { API_SCOPES, type ApiScope } from '@rmeet/contract';
import { Checkbox } from 'antd';
import { useId } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { scopeKey } from '../../lib/scopeKey.ts';

interface ScopesFieldProps {
  chosen: readonly ApiScope[];
  error: string | undefined;
  onChange: (scopes: ApiScope[]) => void;
}

/** What a client may do, each with a sentence. */
export function ScopesField({ chosen, error, onChange }: ScopesFieldProps) {
  const t = useTexts('apiRecords');
  const id = useId();
  return (
    <fieldset className="api-scopes" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{t('form.scopes')}</legend>
      {error !== undefined && (
        <p id={`${id}-error`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      {API_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          checked={chosen.includes(scope)}
          aria-invalid={error === undefined ? undefined : true}
          data-testid={`scope-${scope}`}
          onChange={({ target }) =>
            onChange((target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope)).toSorted())
          }
        >
          <span className="api-scope">
            {t(`scope.${scopeKey(scope)}`)}
            <code>{scope}</code>
          </span>
        </Checkbox>
      ))}
    </fieldset>
  );
}
