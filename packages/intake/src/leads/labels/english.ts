import type { Spellings } from './roles.ts'

/** Also the names that form builders, ad platforms and programmers give their fields. */
export const english: Spellings = {
  language: 'English',
  name:
    'name, full name, display name, lead name, name full, complete name, person name, first and last name, first last name, ' +
    'first name last name, name surname, name and surname, name and last name, names, f name l name, profile name, from name, ' +
    'contact person, contact person name, person to contact, callername, who are you, full names, real name, formatted name, push name, ' +
    'what should we call you, how should we call you, how should we address you',
  first:
    'first name, fname, given name, name first, forename, first, christian name, firstname, name given, given names, first names, forenames',
  last: 'last name, lname, surname, family name, name last, second name, last, lastname, name family, family names, last names, surnames',
  email:
    'email, e mail, emails, email address, mail, email id, work email, user email, business email, company email, ' +
    'personal email, contact email, email addresses, mail id, mail address, login email, corporate email, primary email, ' +
    'email primary, default email, email work, work email address, reply to, email confirmation',
  phone:
    'phone, phones, phone number, phone numbers, tel, telephone, telephone number, mobile, mobile phone, mobile number, ' +
    'mobile no, phone no, cell, cell phone, cell phone number, work phone, work phone number, user phone, contact number, ' +
    'contact no, whatsapp, whatsapp number, wa number, mobile phone number, phone mobile, phone work, phone around, landline, ' +
    'around phone, telephone no, tel no, contact phone, contact mobile, callback number, call back number, phone primary, ' +
    'primary phone, default phone, tel number, ph no, phone full, phone number full, wa id, msisdn, cell number, ' +
    'day phone, daytime phone, evening phone, whatsapp no, whats app, whats app number, text reminder number, handphone, contact, raw digits, sms',
  company:
    'company, company name, organization, organization name, organisation, organisation name, business, business name, ' +
    'account name, employer, firm, firm name, name of company, name of organization, name of organisation, name of business, ' +
    'business name, company or organization, company organization, organization or company, corporation, work company, ' +
    'workplace, place of work, current company, organizations, organisations, companies, institution, institution name, agency name, trading name, org, org name, ' +
    'establishment, practice name, law firm, law firm name, glusr usr companyname',
  message:
    'message, messages, msg, comment, comments, enquiry, inquiry, question, questions, note, notes, details, description, ' +
    'body, content, text, message text, how can we help, how can we help you, comment or message, comments or questions, ' +
    'questions or comments, message body, enquiry details, inquiry details, inquiry message, enquiry message, additional notes, ' +
    'additional information, additional info, additional comments, other comments, project details, project description, ' +
    'about your project, tell us about your project, tell us more, tell us about your needs, what can we do for you, ' +
    'what can we help you with, query, query message, request, your request, requirement, requirements, message content, ' +
    'remarks, remark, feedback, special requests, anything else, further information, more information, free text, inquiry text, ' +
    'first message, initial message, chat message, offline message, testimonial, testimonial text, textarea, text area, body plain, plain body, stripped text, text body',
}
