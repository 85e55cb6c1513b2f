import { LIMITS, withoutTrailingZeros } from '@tanya/contract';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { MayBeEmpty } from './dto.decorators.js';

const { whole, fraction } = LIMITS.usdDigits;

const AMOUNT = new RegExp(`^\\d{1,${whole}}(\\.\\d{1,${fraction}})?$`);

/** A number as a decimal string without needless zeros. Any other value stays. */
function toDecimal(value: unknown): unknown {
  const text = typeof value === 'number' ? value.toFixed(fraction) : value;
  return typeof text === 'string' && AMOUNT.test(text) ? withoutTrailingZeros(text.replace(/^0+(?=\d)/, '')) : text;
}

const UNLIMITED_USD = '-1';

/**
 * An amount in USD as a decimal string or a number, not negative. null removes it.
 * @param mayBeUnlimited whether -1 is an amount too, the highest
 */
export const MayBeUsdAmount =
  ({ mayBeUnlimited = false } = {}): PropertyDecorator =>
  (target, key) => {
    const isUnlimited = (value: unknown) => mayBeUnlimited && (value === -1 || value === UNLIMITED_USD);
    const validate = (value: unknown) => isUnlimited(value) || (typeof value === 'string' && AMOUNT.test(value));
    MayBeEmpty()(target, key);
    Transform(({ value }: { value: unknown }) => (isUnlimited(value) ? UNLIMITED_USD : toDecimal(value)))(target, key);
    ValidateBy({ name: 'amount', validator: { validate } }, { message: 'Please enter an amount such as 12.50.' })(
      target,
      key,
    );
  };
