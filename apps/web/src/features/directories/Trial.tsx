import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { bodyOf, faultsOf, type DirectoryDraft } from './draft.ts';

/** Tries the settings of the form before they are saved: connects, signs in, and shows the first people. */
export function Trial({ draft, id }: { draft: DirectoryDraft; id: string | undefined }) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const trial = useMutation({
    mutationFn: () => api.directories.test({ body: { ...bodyOf(draft), ...(id === undefined ? {} : { id }) } }),
  });
  const isComplete = Object.keys(faultsOf(draft, id === undefined, t, admin)).length === 0;
  const { data } = trial;
  return (
    <fieldset>
      <legend>{t('trial.title')}</legend>
      <div>
        <Button
          busy={trial.isPending}
          disabled={!isComplete}
          data-testid="directory-test"
          onClick={() => trial.mutate()}
        >
          {t('trial.run')}
        </Button>
        {!isComplete && <p className="admin-form-hint">{t('trial.incomplete')}</p>}
      </div>
      <div aria-live="polite" data-testid="directory-trial">
        {data && data.problem !== null && (
          <p className="form-field-error">
            {t(`problem.${data.problem}`)}
            {data.detail !== '' && <span className="directory-detail">{data.detail}</span>}
          </p>
        )}
        {data && data.problem === null && (
          <>
            <p>{t('trial.found', { count: data.people.length })}</p>
            <ul className="directory-changes">
              {data.people.map((person) => (
                <li key={person.dn}>
                  <strong>
                    {person.name} ({person.account})
                  </strong>
                  <span>
                    {[person.department, person.email, person.phone, person.enabled ? '' : t('disabled')]
                      .filter((part) => part !== '')
                      .join(' · ')}
                  </span>
                  <span className="directory-detail">{person.dn}</span>
                </li>
              ))}
            </ul>
            {data.unknownGroups.map((dn) => (
              <p key={dn} className="form-field-error">
                {t('trial.unknownGroup', { dn })}
              </p>
            ))}
          </>
        )}
      </div>
    </fieldset>
  );
}
