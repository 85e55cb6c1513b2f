import {
  type CreateToolServerRequest,
  type Plan,
  PLANS,
  type ServerToolPolicy,
  type TestToolServerRequest,
  TOOL_SERVER_LIMITS,
  type UpdateToolServerRequest,
} from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsObject, IsString, Max, Min } from 'class-validator';
import { MAX_SMALL_ID } from '../../platform/http/id.pipe.js';
import { AccessRuleDto } from '../../access/access-rule.dto.js';
import { IsName, IsUnique, MaxLength, MayBeAbsent, NullIsAbsent } from '../../platform/http/dto.decorators.js';

const { name, url, tools, toolName } = TOOL_SERVER_LIMITS;

const IsAddress = () => applyDecorators(IsString(), MaxLength(url.max));
const IsPlans = () => applyDecorators(IsArray(), ArrayMaxSize(PLANS.length), IsUnique(), IsIn(PLANS, { each: true }));

export class CreateToolServerDto extends AccessRuleDto implements CreateToolServerRequest {
  @IsName(name)
  name: string;

  @IsAddress()
  url: string;

  @NullIsAbsent()
  @IsObject()
  headers?: Record<string, string>;

  @NullIsAbsent()
  @IsPlans()
  plans?: Plan[];
}

export class TestToolServerDto implements TestToolServerRequest {
  @NullIsAbsent()
  @Min(1)
  @Max(MAX_SMALL_ID)
  @IsInt()
  id?: number;

  @NullIsAbsent()
  @IsAddress()
  url?: string;

  @NullIsAbsent()
  @IsObject()
  headers?: Record<string, string | null>;
}

export class UpdateToolServerDto extends AccessRuleDto implements UpdateToolServerRequest {
  @MayBeAbsent()
  @IsName(name)
  name?: string;

  @MayBeAbsent()
  @IsAddress()
  url?: string;

  @NullIsAbsent()
  @IsObject()
  headers?: Record<string, string | null>;

  @MayBeAbsent()
  @IsPlans()
  plans?: Plan[];

  @MayBeAbsent()
  @IsObject()
  tools?: Record<string, ServerToolPolicy>;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(tools)
  @IsString({ each: true })
  @MaxLength(toolName.max, { each: true })
  accept?: string[];

  @MayBeAbsent()
  @IsObject()
  hashes?: Record<string, string>;
}
