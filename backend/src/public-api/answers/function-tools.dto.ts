import { applyDecorators } from '@nestjs/common';
import { API_LIMITS, type FunctionCall, type FunctionTool, type ToolChoiceField } from '@tanya/contract';
import { Equals, IsBoolean, IsNotEmpty, IsObject, IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { IsObjectOf, MaxLength, NullIsAbsent } from '../../platform/http/dto.decorators.js';

export const IsFunctionName = (): PropertyDecorator =>
  applyDecorators(
    Matches(new RegExp(`^[A-Za-z0-9_-]{1,${API_LIMITS.functionName}}$`), {
      message: `$property must have 1 to ${API_LIMITS.functionName} letters, digits, _ or -`,
    }),
    IsString(),
  );

const IsFunction = (): PropertyDecorator =>
  Equals('function', { message: '$property must be function. Other kinds of tools are not supported.' });

export class FunctionDto {
  @IsFunctionName()
  name: string;

  @NullIsAbsent()
  @MaxLength(API_LIMITS.toolDescription)
  @IsString()
  description?: string;

  @NullIsAbsent()
  @IsObject()
  parameters?: Record<string, unknown>;

  @NullIsAbsent()
  @IsBoolean()
  strict?: boolean;
}

export class FunctionToolDto implements FunctionTool {
  @IsFunction()
  type: 'function';

  @IsObjectOf(() => FunctionDto)
  function: FunctionDto;
}

class CalledFunctionDto {
  /** Models of other servers may have called it by any name. */
  @MaxLength(API_LIMITS.calledName)
  @IsNotEmpty()
  @IsString()
  name: string;

  /** Any value: `toProviderMessages` makes it the JSON of an object. */
  @IsOptional()
  arguments: string;
}

export class FunctionCallDto implements FunctionCall {
  @MaxLength(API_LIMITS.toolCallId)
  @IsNotEmpty()
  @IsString()
  id: string;

  @NullIsAbsent()
  @IsFunction()
  type: 'function';

  @IsObjectOf(() => CalledFunctionDto)
  function: CalledFunctionDto;

  @NullIsAbsent()
  @IsObject()
  extra_content?: Record<string, unknown>;
}

function isToolChoice(value: unknown): value is ToolChoiceField {
  if (value === 'none' || value === 'auto' || value === 'required') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { type, allowed_tools: allowed } = value as Fields;
  return type === 'allowed_tools' ? isAllowed(allowed) : isNamedFunction(value);
}

/** Whether a value names a function. An error repeats the name. */
function isNamedFunction(value: unknown): boolean {
  const { type, function: named } = (value ?? {}) as { type?: unknown; function?: { name?: unknown } | null };
  return type === 'function' && typeof named?.name === 'string' && named.name.length <= API_LIMITS.functionName;
}

function isAllowed(value: unknown): boolean {
  const { mode = null, tools } = isFields(value) ? value : {};
  if (mode !== null && mode !== 'auto' && mode !== 'required') return false;
  return Array.isArray(tools) && tools.length > 0 && tools.length <= API_LIMITS.tools && tools.every(isNamedFunction);
}

/** Whether the model may, must or must not call, or the function that it must call. */
export const IsToolChoice = (): PropertyDecorator =>
  ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: isToolChoice,
      defaultMessage: () => '$property must be none, auto, required, name a function or list allowed_tools',
    },
  });
