/**
 * Imported for its effect, before texts are decoded. Node from 20.18.3 on decodes Windows-1252 as ISO-8859-1, without its
 * quotes, dashes and the euro, except in a stream (https://github.com/nodejs/node/issues/56542). Each byte is a character,
 * so a stream leaves nothing behind.
 */
type Decoder = InstanceType<typeof TextDecoder>;

const original = Reflect.get(TextDecoder.prototype, 'decode');

TextDecoder.prototype.decode = function decode(this: Decoder, input, options) {
  return Reflect.apply(original, this, [input, this.encoding === 'windows-1252' ? { stream: true } : options]);
};
