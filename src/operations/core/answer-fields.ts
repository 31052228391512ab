import Type, { type TSchema } from 'typebox';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';

/** Schemas that the answers of several operations share. Published in OpenAPI, so each says its unit or range. */

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** ISO 8601 in UTC. */
export const timestamp = Type.String({ format: 'date-time' });

/** 'YYYY-MM-DD' in the city's time zone. */
export const date = Type.String({ format: 'date' });

/** 'HH:MM' in the city's time zone. */
export const clockTime = Type.String({ pattern: '^\\d{2}:\\d{2}$' });

/** A level, share or probability from 0 to 1. */
export const unit = Type.Number({ minimum: 0, maximum: 1 });

export const count = Type.Integer({ minimum: 0 });

export const primaryState = Type.Enum([...primaryStates]);

/** Stands where nothing can be said, beside the identity that was asked for. */
export const unavailable = Type.Literal(false);
