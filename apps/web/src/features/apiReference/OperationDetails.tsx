import { useTexts } from '../../lib/i18n/index.ts';
import { Code } from './Code.tsx';
import { curlOf, fieldsOf, type Field, type Operation } from './document.ts';

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);

function parameterField({ name, in: where, required, schema }: Operation['parameters'][number]): Field {
  const [field] = fieldsOf({ properties: { [name]: schema }, required: required ? [name] : [] });
  return { ...(field as Field), path: where === 'path' ? `{${name}}` : `?${name}` };
}

/** Parameters, body, answer and errors of a call. */
export function OperationDetails({ operation }: { operation: Operation }) {
  const t = useTexts('apiReference');
  const { parameters, requestBody, responses, 'x-callers': callers, 'x-permission': permission } = operation;
  const [body] = Object.values(requestBody?.content ?? {}).slice(-1);
  const { 200: good, ...failures } = responses;
  const [answer] = Object.values(good?.content ?? {});
  const data = answer?.schema.properties?.['data'] ?? answer?.schema ?? {};
  return (
    <div className="api-operation">
      <dl className="api-operation-facts">
        <div>
          <dt>{t('callers')}</dt>
          <dd>{callers.map((caller) => t(`caller.${caller as 'user'}`)).join(t('separator'))}</dd>
        </div>
        {permission !== undefined && (
          <div>
            <dt>{t('permission')}</dt>
            <dd>
              <code>{permission}</code>
            </dd>
          </div>
        )}
      </dl>
      <Fields title={t('parameters')} fields={parameters.map(parameterField)} />
      {body && <Fields title={t('body')} fields={fieldsOf(body.schema)} />}
      <Code label="curl" text={curlOf(operation, location.origin)} />
      <Fields title={t('answer')} fields={fieldsOf(data)} />
      {answer?.example !== undefined && <Code label={t('answerExample')} text={jsonOf(answer.example)} />}
      <h4>{t('failures')}</h4>
      <ul className="api-failures">
        {Object.entries(failures).map(([status, { description }]) => (
          <li key={status}>
            <strong>{status}</strong> {description}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  const t = useTexts('apiReference');
  if (fields.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="api-fields">
        {fields.map(({ path, type, required, description }) => (
          <li key={path}>
            <code>{path}</code> <span>{type}</span>
            {required && <em>{t('required')}</em>}
            {description !== '' && <p>{description}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
