// Schemas that the answers of several operations share. They are published in OpenAPI, so each says its unit or range.
// Schemas of arguments are in fields.ts.
import Type, { type TSchema } from 'typebox';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** ISO 8601 in UTC. */
export const timestamp = Type.String({ format: 'date-time' });
export const timeField = (description: string) => Type.String({ format: 'date-time', description });

/** What the ledger adds to every payload that it seals (`Written`). */
export const written = {
  written_at: timeField(
    'the real time of sealing, whichever slot it is about; never decreases along the log',
  ),
  backfilled: Type.Optional(
    Type.Literal(true, {
      description:
        'written afterwards, by a virtual clock: simulated history, or a replay; absent from a live entry',
    }),
  ),
};

/** 'YYYY-MM-DD' in the city's time zone. */
export const date = Type.String({ format: 'date' });

/** 'HH:MM' in the city's time zone. */
export const clockTime = Type.String({ pattern: '^\\d{2}:\\d{2}$' });

/** A level, share or probability from 0 to 1. */
export const unit = Type.Number({ minimum: 0, maximum: 1 });
export const unitField = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const count = Type.Integer({ minimum: 0 });
export const countField = (description: string) => Type.Integer({ minimum: 0, description });

/** Which entries of the ledger have left the service, and where they are. */
export const archive = Type.Object(
  {
    entries: countField('the first entries of the ledger'),
    kept_from: timeField('what is sealed later is here'),
    place: Type.Union([Type.String(), Type.Null()], { description: 'its address, if named' }),
  },
  { description: 'what has left the service' },
);

/** Of a list over all time. */
export const olderRows = { archived: Type.Optional(archive) };

/** ISO 4217: the currency of the amounts beside it. */
export const currency = Type.String({ pattern: '^[A-Z]{3}$', description: "the city's currency, ISO 4217" });

export const amount = Type.Number({ minimum: 0, description: "in the city's currency" });

/** Of savings: losses are taken off. */
export const netAmount = Type.Number({
  description: "in the city's currency, losses taken off: below 0 where they are larger",
});

/** For fields named `_sgd`; the same amount stands beside them in the city's currency. */
export const sgd = nullable(
  Type.Number({ minimum: 0, description: 'Singapore dollars; null where the currency is another' }),
);
export const netSgd = nullable(
  Type.Number({ description: 'Singapore dollars, losses taken off; null where the currency is another' }),
);

export const primaryState = Type.Enum([...primaryStates]);

/** Value of `available` in an answer that has no data: it holds only the ids that were asked for. */
export const unavailable = Type.Literal(false);
