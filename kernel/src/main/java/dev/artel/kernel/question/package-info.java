/// AskedQuestions of workers to people.
package dev.artel.kernel.question;
